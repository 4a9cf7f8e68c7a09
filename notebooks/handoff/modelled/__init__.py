"""What the model says of the paper's machine: its table, its figures, and where it cannot say."""
