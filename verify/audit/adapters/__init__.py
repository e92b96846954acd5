"""How compressors of projects with calls of their own are called."""
