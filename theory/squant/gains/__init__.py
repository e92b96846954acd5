"""Claims on gains."""
