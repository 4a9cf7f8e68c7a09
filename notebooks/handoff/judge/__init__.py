"""What the forks say: statistics on fork means."""
