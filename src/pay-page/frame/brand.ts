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
  const [red, green, blue] = linearOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Red, green and blue of a color as #rrggbb, as light from 0 to 1. */
function linearOf(color: string): readonly [number, number, number] {
  const partAt = (at: number) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [partAt(1), partAt(3), partAt(5)];
}

// The tokens of the shop's color in `shop.css`: the color, what is written on it, the color as text, and two that go with it.

/** A new shop's green. */
const BRAND_DEFAULT = "#0a5a3a";

/** The ground of `shop.css` in each scheme that is nearest to the text: what is read there is read on all. */
const GROUNDS = { light: "#f1ebdf", dark: "#26231d" } as const;

/** Text is read from here on (WCAG 2.2). */
const TEXT_CONTRAST_MIN = 4.5;

/** OKLCH: lightness and chroma from 0 to 1, hue in degrees. */
interface Lch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

/** Marigold and clay, and what stands in for one whose hue is that of the brand. */
const COMPANIONS = [
  { color: "oklch(.77 .155 75)", hue: 75 },
  { color: "oklch(.55 .16 33)", hue: 33 },
] as const;
const STAND_INS = ["oklch(.42 .09 160)", "oklch(.38 .08 265)"] as const;
const HUES_APART = 40;
/** A grey has no hue that could be another's. */
const CHROMA_MIN = 0.03;

/** The tokens of the color as a style; those of a new shop where there is no color. */
export function brandTokens(given: string | null): string {
  const color = given ?? BRAND_DEFAULT;
  const [second, third] = companionsOf(color);
  const [light, dark] = [textOf(color, "light"), textOf(color, "dark")];
  const [edge, darkEdge] = [edgeOf(color, "light"), edgeOf(color, "dark")];
  const same = `--brand:${color};--brand-ink:${inkOn(color)};--second:${second};--third:${third}`;
  const both = `--brand-text:light-dark(${light},${dark});--brand-edge:light-dark(${edge},${darkEdge})`;
  return `:root{${same};--brand-text:${light};--brand-edge:${edge}}@supports (color:light-dark(#000,#fff)){:root{${both}}}`;
}

/** The color where it can be read, else the same hue darker, or in the dark lighter, in steps of a hundredth. */
function textOf(color: string, scheme: keyof typeof GROUNDS): string {
  const step = scheme === "light" ? -0.01 : 0.01;
  const lch = lchOf(color);
  let shown = color;
  for (let lightness = lch.lightness; contrastOf(shown, GROUNDS[scheme]) < TEXT_CONTRAST_MIN;) {
    lightness += step;
    shown = hexOf({ ...lch, lightness: Math.min(1, Math.max(0, lightness)) });
  }
  return shown;
}

function companionsOf(color: string): readonly string[] {
  const { chroma, hue } = lchOf(color);
  const isNear = (other: number) =>
    chroma >= CHROMA_MIN && Math.abs(((hue - other + 540) % 360) - 180) < HUES_APART;
  const standIns = [...STAND_INS];
  return COMPANIONS.map(({ color: companion, hue: own }) =>
    isNear(own) ? (standIns.shift() ?? companion) : companion,
  );
}

// OKLCH of Björn Ottosson: https://bottosson.github.io/posts/oklab/

function lchOf(color: string): Lch {
  const [red, green, blue] = linearOf(color);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const lightness = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  const hue = ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
  return { lightness, chroma: Math.hypot(a, b), hue };
}

/** As #rrggbb; what no screen shows is moved to the nearest edge. */
function hexOf({ lightness, chroma, hue }: Lch): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const parts = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
  const hex = parts.map((part) => {
    const shown = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, shown)) * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${hex.join("")}`;
}
