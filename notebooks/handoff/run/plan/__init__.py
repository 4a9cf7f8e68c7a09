"""From a sweep file to points with places for their threads."""
