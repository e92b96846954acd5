"""Normal forms: two terms are equal where their forms are."""
