"""The folder of a run: fork files, their states, what makes a run what it is."""
