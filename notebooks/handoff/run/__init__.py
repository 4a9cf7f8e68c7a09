"""Plan a sweep, measure it fork by fork, and keep what is accepted."""
