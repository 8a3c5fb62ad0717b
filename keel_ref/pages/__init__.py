"""Reports as pages: one file of HTML that a browser shows without a network."""
