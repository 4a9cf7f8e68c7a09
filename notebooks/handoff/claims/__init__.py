"""Published claims: their files, how they are evaluated, verdicts, sentences and tables."""
