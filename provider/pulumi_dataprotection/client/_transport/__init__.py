"""The transport of calls: HTTP, retries, the clock and the rate limit."""
