"""A population for repeated rock-paper-scissors: strategies on arrays, written from published descriptions.

Moves are numbers: 0 rock, 1 paper, 2 scissors; ``(move + 1) % 3`` beats ``move``. Every strategy is an ordinary policy
by its name (``iocaine-like``) and throws for many matches at once. The programming competitions of D. Billings (1999
and 2000) gave most of the ideas; authors are named where their idea is used.
"""
