"""A report of all customers: one model, as JSON, as a page for people, and as Markdown for a comment."""
