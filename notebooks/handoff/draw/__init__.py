"""Figures: one style sheet, one function a figure, one way to save."""
