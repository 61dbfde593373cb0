"""Who there is: accounts, names, passwords, sessions, invitations, workers of crowd platforms."""
