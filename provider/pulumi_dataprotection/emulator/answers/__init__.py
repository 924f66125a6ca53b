"""Answers: their records, and how the dialect writes them."""
