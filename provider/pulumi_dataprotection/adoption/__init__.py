"""An existing estate under code: from the contents of the service to Pulumi projects, without a write."""
