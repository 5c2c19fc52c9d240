"""Policies made of other policies: ``relay``, ``mix``, ``noisy``, ``best-response``.

A part is the name of an entrant of the same population (``NAME=SPEC``) or else a spec: ``noisy:0.05:tit-for-tat``. A
module here has ``make(rest, find)``, where ``find`` gives the policy behind a name or spec.
"""
