"""Labs: what a student uses. Predict, measure, compute, conclude, hand in."""
