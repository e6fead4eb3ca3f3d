"""A database for assistants that speak the Model Context Protocol: reports are run and described, nothing is written."""
