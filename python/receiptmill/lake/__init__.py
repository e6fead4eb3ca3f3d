"""What DuckDB and Spark share: statements in their words, lines of decode, settings, seeds and reports."""
