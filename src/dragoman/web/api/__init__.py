"""The JSON interface, version 1: thin routes over the functions of the room."""
