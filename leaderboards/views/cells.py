"""Numbers as table cells, wide or narrow. What isn't known is a dash."""

from __future__ import annotations

import math
from collections.abc import Sequence

DASH = "–"
_BARS = "▁▂▃▄▅▆▇█"


def with_error(value: float, half: float, digits: int, wide: bool) -> str:
    """A number and half its 95 % interval: ``2.31 ±0.04``, narrow ``2.31±.04``."""
    if math.isnan(value):
        return DASH
    text = fixed(value, digits)
    if math.isnan(half):
        return text
    error = fixed(half, digits)
    return f"{text} ±{error}" if wide else f"{text}±{error.removeprefix('0') if '.' in error else error}"


def fixed(value: float, digits: int) -> str:
    """A number with so many decimals, never ``-0``; large ones lose decimals before they widen the table."""
    if math.isnan(value):
        return DASH
    if digits and abs(value) >= 1000:
        digits = 0
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def signed(value: float, digits: int) -> str:
    """A number with its sign; nothing has none."""
    text = fixed(value, digits)
    return text if value <= 0 or text == DASH or float(text) == 0 else f"+{text}"


def sparkline(values: Sequence[float]) -> str:
    """Values as bars of eight heights, the least lowest: ``▁▃█``. Unknown ones are spaces; all alike is a flat line."""
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return ""
    low, high = min(known), max(known)
    step = (high - low) / (len(_BARS) - 1)
    heights = (math.nan if math.isnan(v) else round((v - low) / step) if step > 0 else 3 for v in values)
    return "".join(" " if math.isnan(height) else _BARS[int(height)] for height in heights)


def percent(share: float, digits: int = 0) -> str:
    """A share as a percentage; a little more than nothing never shows as nothing."""
    if math.isnan(share):
        return DASH
    least = 10.0**-digits
    return f"<{least:g}%" if 0 < 100 * share < least / 2 else f"{100 * share:.{digits}f}%"


def amount(value: float) -> str:
    """A large number in four characters: ``950``, ``1.2k``, ``34k``, ``5.6M``."""
    if math.isnan(value):
        return DASH
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= 0.9995 * size:
            return f"{value / size:.1f}{unit}" if value < 9.95 * size else f"{value / size:.0f}{unit}"
    return f"{value:.0f}"


def seconds(value: float) -> str:
    """A duration: ``12ms``, ``3.4s``, ``250s``."""
    if math.isnan(value):
        return DASH
    if value < 0.0995:
        return f"{1000 * value:.0f}ms"
    return f"{value:.1f}s" if value < 99.95 else f"{value:.0f}s"
