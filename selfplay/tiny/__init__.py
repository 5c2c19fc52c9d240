"""How ``llm:tiny`` is made: a small Llama trained from scratch on matches between scripted players.

python -m selfplay.tiny            # corpus, tokenizer, training, report; writes policies/llm/tiny
"""
