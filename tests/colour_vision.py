"""How far apart colours look, to all eyes: simulated deficiencies of colour vision, in CIE Lab and OKLab."""

from __future__ import annotations

import numpy as np

MATRICES = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""Machado, Oliveira and Fernandes 2009, table 1, severity 1.0: of linear RGB."""

_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = _TO_XYZ.sum(axis=1)


_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
"""Ottosson 2020: of linear RGB, and of the cube roots of what the cones see."""


def _seen(colors, vision):
    """Linear RGB of colours of sRGB, shape (n, 3), as eyes of this kind see them."""
    rgb = np.asarray(colors, dtype=float)[:, :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return np.clip(linear @ MATRICES[vision].T, 0.0, 1.0)


def oklab(colors, vision="normal"):
    """OKLab of colours of sRGB, shape (n, 3), as eyes of this kind see them."""
    return np.cbrt(_seen(colors, vision) @ _TO_CONES.T) @ _TO_OKLAB.T


def least_distance(colors, vision):
    """The least distance of any two colours in OKLab."""
    seen = oklab(colors, vision)
    return float((np.linalg.norm(seen[:, None] - seen[None], axis=2) + 9 * np.eye(len(seen))).min())


def lab(colors, vision="normal"):
    """CIE Lab (D65) of colours of sRGB, shape (n, 3), as eyes of this kind see them."""
    x = _seen(colors, vision) @ _TO_XYZ.T / _WHITE
    f = np.where(x > (6 / 29) ** 3, np.cbrt(x), x / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.column_stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])])
