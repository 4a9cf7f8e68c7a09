"""The paper of a run: numbers, related runs, the appendix, the PDF."""
