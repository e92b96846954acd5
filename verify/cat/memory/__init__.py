"""Memory of what messages lose (error feedback)."""
