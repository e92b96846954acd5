"""The report site: static pages from records, claims, findings and figures (`boundcheck report`)."""
