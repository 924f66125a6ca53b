"""Questions about all customers at once: drift, coverage, licences, and a report of them."""
