"""Parts shared by the figures of all studies: style sheet, marks, words, pages and files."""
