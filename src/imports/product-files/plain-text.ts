// Formatted text as text: the shop keeps descriptions without markup, since pages escape what they show.

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  deg: "°",
  times: "×",
  copy: "©",
  reg: "®",
  trade: "™",
  euro: "€",
  pound: "£",
  eacute: "é",
  egrave: "è",
};

/**
 * The text of an HTML fragment: paragraphs are apart, entries of lists begin with a hyphen. Each step reads the text
 * once, however it is built: what is never closed ends with the text, and a tag at the next one.
 */
export function plainText(html: string): string {
  return html
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/<!--[\s\S]*?(?:-->|$)|<(script|style|iframe)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, "")
    .replaceAll(/<li\b[^<>]*>/gi, "\n- ")
    .replaceAll(/<br\b[^<>]*>/gi, "\n")
    .replaceAll(/<\/?(?:p|div|h[1-6]|ul|ol|table|tr|blockquote|section)\b[^<>]*>/gi, "\n\n")
    .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
    .replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);/gi, character)
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/\n\n(?=- )/g, "\n")
    .trim();
}

/** The character of an entity such as `&amp;`, `&#8211;` or `&#x2013;`; one that is not known stays. */
function character(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return entities[name] ?? entity;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}
