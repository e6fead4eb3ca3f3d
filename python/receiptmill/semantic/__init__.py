"""Models of other tools' semantic layers, written from what the catalog and the headers of sql/ declare."""
