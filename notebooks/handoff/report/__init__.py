"""From results to a paper: numbers, related runs, the appendix, the PDF."""
