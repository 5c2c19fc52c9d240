"""One rating, one file: a plain function from tables to a frozen result, with its paper."""
