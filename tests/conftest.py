"""For the whole suite: one thread for the array libraries, since its models are too small for more to help."""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # read when torch and numpy are imported
    os.environ.setdefault(variable, "1")
