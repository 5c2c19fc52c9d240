"""A population for repeated rock-paper-scissors: strategies on arrays, written from published descriptions.

Moves are numbers: 0 rock, 1 paper, 2 scissors; ``(move + 1) % 3`` beats ``move``. Every strategy is an ordinary policy
by its name (``iocaine-like``) and throws for many matches at once. The programming competitions of D. Billings (1999
and 2000) gave most of the ideas; authors are named where their idea is used. A name of an original bot (``copybot``)
says that the rule is exactly that bot's; where only the idea is, the name is another.
"""

FIXED = (
    "adddriftbot2",
    "addshiftbot3",
    "antiflatbot",
    "antirotnbot",
    "copybot",
    "de-bruijn-words",
    "driftbot",
    "flatbot3",
    "foxtrotbot",
    "freqbot2",
    "pibot",
    "r226bot",
    "randbot",
    "rockbot",
    "rotatebot",
    "switchalot",
    "switchbot",
    "text-word",
)
"""The competition's fixed players: sixteen by their exact rules, and two with words of our own."""
EXACT = tuple(name for name in FIXED if "-" not in name)
LEARNING = (
    "actr-lag2",
    "bandit",
    "biopic-like",
    "boom-like",
    "conditional-response",
    "context-mixing",
    "going-meta",
    "granite-like",
    "iocaine-like",
    "longest-match",
    "marble-like",
    "markov-5",
    "markov-bails",
    "megahal-like",
    "mixed-modes",
    "modeller-like",
    "pattern-tree",
    "phasenbott-like",
    "piedra-like",
    "predictor-like",
    "q-learner",
    "regret-matching",
    "robertot-like",
    "russrocker-like",
    "sweetrock-like",
)
"""Players that learn within a match."""
POPULATION = (*FIXED, *LEARNING)
"""All 43."""
