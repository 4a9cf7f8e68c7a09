"""What figures of all studies share: one style sheet, marks, footnotes, one way to save."""
