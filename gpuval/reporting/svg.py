"""Figures of matplotlib as SVG within a page: with a description, in the colours of the page, and small."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from xml.etree import ElementTree

from gpuval.display.colors import AGREE, DARK_GROUND, contrast
from gpuval.display.text import visible
from gpuval.inputs.options import require_extra

Element = ElementTree.Element

_SVG = "http://www.w3.org/2000/svg"

INK, PAPER = "#000c18", "#fdfcfb"
"""The colours of text and lines, and of the ground, in figures: those of the page are put in their place.

They are of different tints, so that a mixture of both is no grey of a plot's own.
"""

_AGREE_ON_DARK = "#656A71"
"""What is as expected is as faint on a dark page, so that text on it can be read."""

_HEX = re.compile("#[0-9a-fA-F]{6}")

_FONTS = re.compile(r"font-family: [^;]*;? ?")
"""The fonts of text, left out as it is in that of the page."""

STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: it is searched, read aloud, and no letter is without a shape
    "svg.hashsalt": "gpuval",
    "font.family": ["sans-serif"],
    "font.size": 9.0,
    **dict.fromkeys(["text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor", "legend.labelcolor"], INK),
    **dict.fromkeys(["xtick.color", "ytick.color", "xtick.labelcolor", "ytick.labelcolor", "lines.color"], INK),
    **dict.fromkeys(["figure.facecolor", "axes.facecolor", "savefig.facecolor", "figure.edgecolor"], PAPER),
    **dict.fromkeys(["legend.facecolor", "legend.edgecolor", "savefig.edgecolor"], PAPER),
}
"""What is drawn in another way than by matplotlib's own style."""


def as_svg(figure: Any, prefix: str, description: str) -> str:
    """A figure as one element of HTML, which a screen reader reads as an image with this description.

    All ids in it begin with the prefix, as an id must not be there twice within a page. It is as large as the figure.
    """
    halos = _take_halos(figure)
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata=dict.fromkeys(["Date", "Creator", "Format", "Type"]))
    root = ElementTree.fromstring(file.getvalue())
    for part in list(root):
        if part.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}title"):
            root.remove(part)
    for element in root.iter():
        element.tag = _local_name(element.tag)  # HTML knows these elements, and has no namespaces
        attributes = {_local_name(name): value for name, value in element.attrib.items()}
        element.attrib.clear()
        element.attrib.update(attributes)
    _give_halos(root, halos)
    _join_dots(root)
    _name_ids(root, prefix)
    for element in root.iter():
        for name, value in element.attrib.items():
            readable = _readable(value) if element.tag == "text" and name == "style" else value
            element.attrib[name] = _adapt_value(name, readable)
    width, height = (float(root.attrib.pop(x).removesuffix("pt")) for x in ("width", "height"))
    root.set("width", f"{width / 72 * 96:.0f}")
    root.set("height", f"{height / 72 * 96:.0f}")
    root.set("role", "img")
    root.set("aria-label", visible(description))
    text = ElementTree.tostring(root, encoding="unicode")
    text = re.sub(r'<defs>\s*<style type="text/css">.*?</style>\s*</defs>', "", text, count=1, flags=re.DOTALL)
    return re.sub(r">\s+<", "><", text)


# Pictures of many samples are the same for each width of a page.

_PICTURE = re.compile(r'<image ([^>]*?)href="(data:image/png;base64,[^"]{10000,})"([^>]*?) ?/>')
_NUMBER_OF = {
    name: re.compile(rf'(?:^|\s){name}="([^"]*)"') for name in ("x", "y", "width", "height", "transform", "style")
}


def share_pictures(drawings: Sequence[str], prefix: str) -> list[str]:
    """The same drawings, in which a large picture that occurs again is that of the first one."""
    keys: dict[str, str] = {}
    for drawing in drawings:
        for picture in _PICTURE.finditer(drawing):
            keys.setdefault(picture[2], f"{prefix}-picture{len(keys)}")
    again = {data for data in keys if sum(drawing.count(data) for drawing in drawings) > 1}
    defined: set[str] = set()

    def reference(picture: re.Match[str]) -> str:
        data, said = picture[2], f"{picture[1]} {picture[3]}"
        if data not in again:
            return picture[0]
        of = {name: (found[1] if (found := pattern.search(said)) else "") for name, pattern in _NUMBER_OF.items()}
        moved = f"translate({of['x'] or 0} {of['y'] or 0}) scale({of['width']} {of['height']})"
        key = keys[data]
        used = f'<use href="#{key}" transform="{of["transform"]} {moved}" style="{of["style"]}"/>'
        if data in defined:
            return used
        defined.add(data)
        unit = f'<image id="{key}" width="1" height="1" preserveAspectRatio="none" href="{data}"/>'
        return f"<defs>{unit}</defs>{used}"

    return [_PICTURE.sub(reference, drawing) for drawing in drawings]


def _local_name(name: str) -> str:
    return name.rpartition("}")[2]


# The values of attributes: ids, colours, fonts and numbers.

_TO_ROUND = re.compile(r"-?\d+\.\d{2,}(?![\d.]*e)")


def _adapt_value(name: str, value: str) -> str:
    """The value of an attribute with the colours and the font of the page."""
    if name in ("d", "x", "y", "points"):
        return " ".join(_TO_ROUND.sub(_rounded, value).split())
    if name in ("style", "fill", "stroke"):
        value = _HEX.sub(lambda found: color_of_page(found[0]), value)
    return _FONTS.sub("", value) if name == "style" else value


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")


def color_of_page(color: str) -> str:
    """A mixture of ink and paper as that of the text and of the ground of the page; any other colour as it is.

    Examples
    --------
    >>> color_of_page("#000c18"), color_of_page("#fdfcfb"), color_of_page("#0072B2")
    ('currentColor', 'var(--ground)', '#0072B2')
    >>> color_of_page("#7e848a")
    'color-mix(in srgb, currentColor 50%, var(--ground))'
    """
    if color.upper() == AGREE:
        return f"light-dark({AGREE}, {_AGREE_ON_DARK})"
    parts, ink, paper = (tuple(int(x[i : i + 2], 16) for i in (1, 3, 5)) for x in (color, INK, PAPER))
    share = sum(p - x for x, p in zip(parts, paper, strict=True)) / sum(p - i for i, p in zip(ink, paper, strict=True))
    mixed = [p + share * (i - p) for i, p in zip(ink, paper, strict=True)]
    if not -0.01 < share < 1.01 or any(abs(x - y) > 1.5 for x, y in zip(parts, mixed, strict=True)):
        return color
    if share > 0.995:
        return "currentColor"
    return "var(--ground)" if share < 0.005 else f"color-mix(in srgb, currentColor {100 * share:.0f}%, var(--ground))"


_LEAST_OF_TEXT = 4.5
"""The contrast of text to the ground."""

_FILL = re.compile(r"(?<![\w-])fill: (#[0-9a-fA-F]{6})")


def _readable(style: str) -> str:
    """The style of a text, which has a lighter colour on dark pages if it has one of its own; black is on a fill."""
    found = _FILL.search(style)
    if found is None or found[1] == "#000000" or color_of_page(found[1]) != found[1]:
        return style
    own, share = found[1], 0.0
    while contrast(lighter := _with_white(own, share), DARK_GROUND) < _LEAST_OF_TEXT:
        share += 0.05
    return (
        style
        if lighter.lower() == own.lower()
        else style.replace(found[0], f"{found[0]}; fill: light-dark({own}, {lighter})")
    )


def _with_white(color: str, share: float) -> str:
    """A colour with a share of white in it."""
    return "#" + "".join(f"{round(x + share * (255 - x)):02X}" for x in bytes.fromhex(color[1:]))


_REFERENCE = re.compile(r"(^|url\()#([^)\s]+)")


def _name_ids(root: Element, prefix: str) -> None:
    """Number the ids that are used, each behind the prefix, and drop the others.

    Those of matplotlib stand for all digits of a place, of which the last ones are not the same in each run.
    """
    used = {found[2] for x in root.iter() for value in x.attrib.values() for found in _REFERENCE.finditer(value)}
    new: dict[str, str] = {}
    for element in root.iter():
        if (old := element.attrib.pop("id", "")) in used:
            new[old] = f"{prefix}-{len(new)}"
            element.set("id", new[old])
    for element in root.iter():
        for name, value in element.attrib.items():
            element.attrib[name] = _REFERENCE.sub(lambda x: f"{x[1]}#{new.get(x[2], x[2])}", value)


# Text with a halo, which matplotlib draws as the outlines of letters, stays text.


def _take_halos(figure: Any) -> dict[str, str]:
    """Take the halos of all text away; by the id of each text the style of its halo."""
    with require_extra("gpuval.report", "report"):
        from matplotlib.text import Text

    found = {}
    for place, text in enumerate(figure.findobj(Text)):
        strokes = [own for x in text.get_path_effects() or () if (own := getattr(x, "_gc", {})).get("foreground")]
        if strokes:
            key = f"halo{place}"
            stroke, width = strokes[0]["foreground"], strokes[0].get("linewidth", 1.0)
            found[key] = f"; paint-order: stroke; stroke: {stroke}; stroke-width: {width:g}; stroke-linejoin: round"
            text.set_path_effects([])
            text.set_gid(key)
    return found


def _give_halos(root: Element, halos: dict[str, str]) -> None:
    for group in root.iter("g"):
        halo = halos.get(group.get("id", ""))
        for text in group.iter("text") if halo is not None else ():
            text.set("style", text.get("style", "") + str(halo))


# Many dots, each an element of its own, become few paths of points with round ends.

_FEWEST, _LAYERS = 100, 4
"""Dots from which this is worth it; and in how many layers all colours follow one another again.

Within a layer the dots of one colour cover those of another; over all layers no colour covers the others.
"""

_CIRCLE = re.compile(r"M 0 (-?[\d.]+)\s+C ([^z]*)z\s*")


class _Dot(NamedTuple):
    """A circle of some colours."""

    x: str
    y: str
    radius: float
    style: str


def _join_dots(root: Element) -> None:
    n_joined = 0
    radii = {x.get("id"): radius for x in root.iter("path") if (radius := _radius(x.get("d", ""))) is not None}
    for group in list(root.iter("g")):
        dots = [_dot_of(x, radii) for x in group]
        if len(dots) < _FEWEST or any(x is None for x in dots[1:]):
            continue
        start = 0 if dots[0] is not None else 1  # the shapes that are used come first
        clip = next((x.get("clip-path") for x in group if x.get("clip-path")), None)
        for child in list(group)[start:]:
            group.remove(child)
        style = {"style": "fill: none; stroke-linecap: round"} | ({} if clip is None else {"clip-path": clip})
        joined = ElementTree.SubElement(group, "g", style)
        joined.extend(list(_paths([x for x in dots if x is not None], f"dots{n_joined}")))
        n_joined += 1


def _radius(shape: str) -> float | None:
    """The radius of what is drawn as a circle of eight curves about 0; None for other shapes."""
    found = _CIRCLE.fullmatch(shape)
    return abs(float(found[1])) if found is not None and shape.count("C") == 8 else None


def _dot_of(element: Element, radii: dict[str | None, float]) -> _Dot | None:
    """The dot that an element is, by itself or within a group."""
    if element.tag == "g" and len(element) == 1:
        element = element[0]
    href = element.get("href", "")
    if element.tag != "use" or href[1:] not in radii:
        return None
    return _Dot(element.get("x", "0"), element.get("y", "0"), radii[href[1:]], element.get("style", ""))


def _paths(dots: list[_Dot], key: str) -> Iterator[Element]:
    """A path for the dots of each style in each layer, which is drawn for their edges, and for what is within."""
    size, n_paths = -(-len(dots) // _LAYERS), 0
    for start in range(0, len(dots), size):
        layer = sorted(dots[start : start + size], key=lambda dot: (dot.style, dot.radius))
        for (style, radius), some in groupby(layer, key=lambda dot: (dot.style, dot.radius)):
            points = "".join(f"M{float(dot.x):.1f} {float(dot.y):.1f}h0" for dot in some)
            defined = ElementTree.Element("defs")
            ElementTree.SubElement(defined, "path", {"id": f"{key}-{n_paths}", "d": points})
            yield defined
            for said in _strokes(radius, dict(_declarations(style))):
                yield ElementTree.Element("use", {"href": f"#{key}-{n_paths}", "style": said})
            n_paths += 1


def _strokes(radius: float, style: dict[str, str]) -> Iterator[str]:
    """The styles of lines as wide as dots with their edges, and as what is within."""
    stroke, fill = style.get("stroke", "none"), style.get("fill", "#000000")
    edge = float(style.get("stroke-width", "1")) if stroke != "none" else 0.0
    opacity = style.get("opacity") or style.get("fill-opacity")
    for color, width in ((stroke, 2 * radius + edge), (fill, 2 * radius - edge)):
        if color != "none":
            yield f"stroke: {color}; stroke-width: {width:.2f}" + (f"; opacity: {opacity}" if opacity else "")


def _declarations(style: str) -> Iterable[tuple[str, str]]:
    for declaration in filter(None, style.split(";")):
        name, _, value = declaration.partition(":")
        yield name.strip(), value.strip()
