"""The ways of asking people, one module each; `PROTOCOLS` names them."""
