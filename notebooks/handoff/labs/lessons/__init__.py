"""The labs, each with what only it needs."""
