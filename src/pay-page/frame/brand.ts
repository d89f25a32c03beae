// The color of the shop on its pages. Pure. Invariant: what is written on it has a contrast of at least 4.5 to 1,
// and the edge of a button one of at least 3 to 1 with the sheet, whatever the color is (WCAG 2.2).

/** An edge is seen where its contrast with the sheet is no lower. */
const EDGE_CONTRAST_MIN = 3;

/** The sheet in light and dark mode, and the edge that is seen on both; as `page-style.ts` has them. */
const SHEETS = { light: "#ffffff", dark: "#1d2128" } as const;
const EDGES = { light: "#767d8c", dark: "#7d8696" } as const;

/** Returns black or white, as has more contrast with the ground: at least 4.58 to 1 for every color. */
export function inkOn(ground: string): "#000000" | "#ffffff" {
  return contrastOf(ground, "#ffffff") >= contrastOf(ground, "#000000") ? "#ffffff" : "#000000";
}

/** Returns the edge of an area of the color: the color itself where it stands out from the sheet. */
export function edgeOf(color: string, scheme: keyof typeof SHEETS): string {
  return contrastOf(color, SHEETS[scheme]) >= EDGE_CONTRAST_MIN ? color : EDGES[scheme];
}

/** The contrast of two colors as WCAG 2.2 defines it, from 1 to 21. */
function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted(
    (a, b) => a - b,
  );
  return (lighter + 0.05) / (darker + 0.05);
}

/** The style that gives pages the color; empty without one. */
export function brandStyle(color: string | null): string {
  if (color === null) return "";
  const edge = `light-dark(${edgeOf(color, "light")}, ${edgeOf(color, "dark")})`;
  return `
:root { --pay: ${color}; --pay-ink: ${inkOn(color)}; --pay-edge: ${edge}; }
body { border-top: .375rem solid var(--pay); }
`;
}

/** Relative luminance of a color as #rrggbb. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
