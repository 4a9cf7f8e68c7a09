"""Published claims: their files, how they are evaluated, verdicts, sentences, table and figure."""
