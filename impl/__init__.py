"""What the papers compute: compressors, methods and problems, literal and fast."""
