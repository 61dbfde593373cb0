"""HMEANT: semantic frames marked and linked by people, their scores and the agreement on them."""
