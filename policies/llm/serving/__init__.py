"""Our engine behind an OpenAI-compatible HTTP interface: what ``arena serve`` runs.

    bodies ─► asks ─► batcher (one thread, one engine) ─► tokens ─► answers

Chats, completions, token ids and adapters that are loaded while it runs are spelled as vLLM spells them, so that what
is written against one plays with the other.
"""
