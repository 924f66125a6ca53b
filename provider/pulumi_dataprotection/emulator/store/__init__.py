"""The database: its tables, its time, and the documents that show it."""
