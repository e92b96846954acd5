"""Claims on the AB inequality."""
