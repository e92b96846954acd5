"""How rows are split among nodes."""
