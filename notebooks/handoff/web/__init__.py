"""The papers as pages: one HTML file each, which opens from disk and loads nothing."""
