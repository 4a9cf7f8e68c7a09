"""From a sweep to accepted fork files."""
