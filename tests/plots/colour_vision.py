"""How far apart colours look, to all eyes: simulated deficiencies of colour vision, and differences in CIE Lab."""

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


def lab(colors, vision="normal"):
    """CIE Lab (D65) of colours of sRGB, shape (n, 3), as eyes of this kind see them."""
    rgb = np.asarray(colors, dtype=float)[:, :3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ MATRICES[vision].T, 0.0, 1.0)
    x = seen @ _TO_XYZ.T / _WHITE
    f = np.where(x > (6 / 29) ** 3, np.cbrt(x), x / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.column_stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])])


def least_difference(colors, vision):
    """The least distance of neighbours, the last and the first among them (CIE 1976)."""
    seen = lab(colors, vision)
    return float(np.linalg.norm(seen - np.roll(seen, -1, axis=0), axis=1).min())
