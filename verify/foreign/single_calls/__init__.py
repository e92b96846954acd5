"""What single calls of a foreign compressor show."""
