"""Pictures as SVG, laid out at build time."""
