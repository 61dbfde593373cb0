"""The server: people judge translations in the browser, and see what their judgements say."""
