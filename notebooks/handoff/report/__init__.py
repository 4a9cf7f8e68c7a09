"""From results to a paper: traces back to the forks, numbers, the artifact's appendix, the PDF."""
