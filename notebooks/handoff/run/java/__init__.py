"""The JDK, the jar and the command that measures a point."""
