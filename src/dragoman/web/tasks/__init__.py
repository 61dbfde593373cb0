"""The shared tasks of a server: teams submit and see what is theirs, managers see all."""
