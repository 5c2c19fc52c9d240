"""A board as one self-contained HTML page: sortable tables, a heat map, and matches to read."""
