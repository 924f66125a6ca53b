"""The HTTP server: the service and its control plane behind one address."""
