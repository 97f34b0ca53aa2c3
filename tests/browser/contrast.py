"""Whether every text of a page can be read, by the colours that the browser has computed.

Source: WCAG 2.2, 1.4.3, and its definitions of contrast ratio and relative luminance.
"""

CONTRAST = """() => {
  const lum = (rgb) => rgb.map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], under) => [r, g, b].map((v, i) => a * v + (1 - a) * under[i]);
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.unshift(parse(getComputedStyle(at).backgroundColor));
    }
    return layers.reduce((under, layer) => over(layer, under), [255, 255, 255]);
  };
  const stops = (id) => [...document.querySelectorAll(`#${id} stop`)]
    .map((stop) => parse(getComputedStyle(stop).stopColor));
  const faults = [];
  const check = (words, style, grounds) => {
    for (const under of grounds) {
      const [a, b] = [lum(over(parse(style), under)), lum(under)].sort((x, y) => y - x);
      if ((a + 0.05) / (b + 0.05) < 4.5) faults.push(`${words} ${style} on ${under}`);
    }
  };
  let texts = 0;
  for (const element of document.querySelectorAll("body *:not(svg, svg *)")) {
    if (!element.checkVisibility()) continue;
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (own) check(element.outerHTML, getComputedStyle(element).color, [ground(element)]);
    const hint = element.placeholder && getComputedStyle(element, "::placeholder");
    if (hint) check(element.outerHTML, hint.color, [ground(element)]);
    texts += own;
  }
  const wood = stops("wood");
  for (const each of document.querySelectorAll("svg .coordinates text")) {
    check(each.textContent, getComputedStyle(each).fill, wood);
  }
  for (const each of document.querySelectorAll("svg .stone .number")) {
    const { classList } = each.parentNode;
    const body = stops(`stone-${classList.contains("white") ? "white" : "black"}`);
    const beside = body.slice(1);  // the light falls beside the number
    const pale = classList.contains("offer") ? 0.6 : 1;
    const grounds = beside.flatMap((shade) => wood.map((under) => over([...shade, pale], under)));
    check(each.textContent, getComputedStyle(each).fill, grounds);
    texts += 1;
  }
  return [texts, faults];
}"""
"""Gives how many texts are seen, and those below 4.5 : 1. Grounds of stones and wood are all their shades."""
