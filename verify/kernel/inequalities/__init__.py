"""Signs, definedness and what follows from what is assumed."""
