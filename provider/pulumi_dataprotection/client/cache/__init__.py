"""The cache of an account: its tenants, their lists, and the references into them."""
