"""The pages: each reads the request, calls one function of the room, and shows the result as HTML or `.json`."""
