"""How colors look: their contrast, how far apart they are, and what those see who lack a kind of cone.

A color is ``#rrggbb``. Sources: WCAG 2.2 (contrast); CIE 142:2001, Sharma 2005 (Delta E 2000); Machado 2009
(deuteranopia and protanopia).
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

LMS_LESS = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
}
"""The matrix on linear red, green and blue of each kind of sight, at full severity."""
Triple = tuple[float, float, float]


def linear(color: str) -> Triple:
    """Return linear red, green and blue, 0 to 1."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colors: 4.5 is the least for small text."""

    def luminance(color: str) -> float:
        return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(color), strict=True))

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _product(rows: tuple[tuple[float, ...], ...], of: Triple) -> Triple:
    first, second, third = (sum(a * b for a, b in zip(row, of, strict=True)) for row in rows)
    return first, second, third


_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)


def lab(color: str, sight: str = "all cones") -> Triple:
    """Return CIELAB of a color (D65) as a kind of sight sees it."""
    seen = _product(LMS_LESS[sight], linear(color))
    clipped = tuple(min(1.0, max(0.0, part)) for part in seen)
    xyz = _product(_XYZ, (clipped[0], clipped[1], clipped[2]))
    roots = [part / white for part, white in zip(xyz, _WHITE, strict=True)]
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in roots)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def delta_e(one: Triple, other: Triple) -> float:
    """Return the distance of two colors of CIELAB, Delta E 2000: about 2 are just seen side by side."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + (1 - sqrt(mean**7 / (mean**7 + 25**7))) / 2
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = (degrees(atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = h1 + turn / 2 if c1 * c2 else h1 + h2
    weight = 1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue))
    weight += 0.32 * cos(radians(3 * hue + 6)) - 0.20 * cos(radians(4 * hue - 63))
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * sqrt(c1 * c2) * sin(radians(turn / 2)) / (1 + 0.015 * chroma * weight)
    twist = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((hue % 360 - 275) / 25) ** 2))))
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 + twist * by_chroma * by_hue)
