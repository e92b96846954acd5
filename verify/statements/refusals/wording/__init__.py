"""What the words of a proved part may not do beside its formulas."""
