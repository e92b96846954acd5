"""Claims on what tuning saves, and on schemes that are special cases."""
