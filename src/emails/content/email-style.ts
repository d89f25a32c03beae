// How emails look. Mail programs read the style of each element, and some nothing else; those that have a dark mode of
// their own and read the sheet take its colors.

import { type Attribute, attribute } from "#platform/html/html.ts";

/** Some programs forget the font in each cell of a table. */
const FONT = "font:16px/1.5 system-ui,Segoe UI,Roboto,Helvetica,Arial,sans-serif";
const INK = "color:#16181d";
const FAINT = "color:#565d6b";
const RULE = "1px solid #d9dce2";

const look = {
  ground: "margin:0;padding:0;background:#f4f5f7",
  page: "width:100%;background:#f4f5f7",
  column: "width:100%;max-width:600px",
  head: `padding:0 8px 16px;${FONT};font-weight:650;${INK};overflow-wrap:anywhere`,
  logo: "display:block;width:auto;height:40px;max-width:160px;margin-bottom:8px",
  sheet: `padding:28px 24px 16px;background:#ffffff;border-radius:10px;${FONT};${INK};overflow-wrap:anywhere`,
  headline: `margin:0 0 20px;font-size:26px;line-height:1.2;font-weight:700;${INK}`,
  paragraph: "margin:0 0 14px;white-space:pre-line",
  heading: `margin:28px 0 8px;font-size:15px;line-height:1.4;font-weight:650;${INK}`,
  amount: "margin:0 0 14px;font-size:30px;line-height:1.2;font-weight:700",
  note: `margin:6px 0 0;font-size:14px;${FAINT}`,
  action: "margin:22px 0",
  button:
    "display:inline-block;padding:12px 24px;border-radius:9px;border:1px solid;font-weight:650;text-decoration:none",
  link: `${INK};text-decoration:underline`,
  items: "margin:0 0 14px;padding:0 0 0 20px",
  table: "width:100%;border-collapse:collapse",
  name: `padding:10px 12px 10px 0;border-top:${RULE};${FONT};text-align:left;vertical-align:top;${INK}`,
  worth: `padding:10px 0;border-top:${RULE};${FONT};text-align:right;vertical-align:top;white-space:nowrap;${INK}`,
  remark: `font-size:14px;${FAINT}`,
  sums: `width:100%;border-collapse:collapse;margin:0 0 8px;border-top:${RULE}`,
  what: `padding:8px 12px 0 0;${FONT};font-size:15px;vertical-align:top;text-align:left;${FAINT}`,
  sum: `padding:8px 0 0;${FONT};font-size:15px;vertical-align:top;text-align:right;white-space:nowrap;${INK}`,
  total: `padding:8px 12px 0 0;${FONT};vertical-align:top;text-align:left;font-weight:700;${INK}`,
  totalSum: `padding:8px 0 0;${FONT};vertical-align:top;text-align:right;white-space:nowrap;font-weight:700;${INK}`,
  foot: `padding:20px 8px;${FONT};font-size:14px;${FAINT};text-align:center;overflow-wrap:anywhere`,
} as const;

/** The attributes that give an element its look, with the colors of the shop where it has them. */
export function styled(name: keyof typeof look, colors = ""): readonly (Attribute | null)[] {
  const style = colors === "" ? look[name] : `${look[name]};${colors}`;
  return [attribute("class", name), attribute("style", style)];
}

export const EMAIL_STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; }
@media (prefers-color-scheme: dark) {
  .ground, .page { background: #14171c !important; }
  .sheet { background: #1d2128 !important; }
  .head, .sheet, .headline, .heading, .link, .name, .worth, .sum, .total, .totalSum { color: #f1f3f6 !important; }
  .note, .remark, .what, .foot { color: #a9b1bf !important; }
  .name, .worth, .sums { border-top-color: #3a414d !important; }
}
`;
