"""One module for each kind of page: what its template shows."""
