"""How ``llm:tiny`` is made: a small Llama trained from scratch on matches between scripted players.

make tiny                # corpus, tokenizer, training; writes policies/llm/tiny
python bench/tiny.py     # how legally and how well it plays
"""
