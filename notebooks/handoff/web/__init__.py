"""Papers as HTML pages, each a file that opens from disk and loads nothing."""
