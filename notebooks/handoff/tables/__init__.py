"""From fork files to tidy tables, and back: rows, tables, traces."""
