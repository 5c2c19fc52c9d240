"""Games of other libraries, hosted under a prefix: one module per library, with ``make(rest, **options) -> Game``."""
