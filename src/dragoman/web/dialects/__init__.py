"""The server in the words of other translation services, so that programs made for them work with it unchanged."""
