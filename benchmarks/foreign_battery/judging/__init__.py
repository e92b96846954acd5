"""Judge the cases of the battery, and tell what was found."""
