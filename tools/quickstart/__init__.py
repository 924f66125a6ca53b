"""What `make up` and `make down` do."""
