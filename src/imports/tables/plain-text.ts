// Formatted text as text: the shop keeps its texts without markup, since pages escape what they show.

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
  szlig: "ß",
  oslash: "ø",
  aelig: "æ",
};

/** The marks of letters, by the ends of their names: `&eacute;` is é, `&Uuml;` is Ü. */
const marksOfLetters: Readonly<Record<string, string>> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  ring: "\u030a",
  caron: "\u030c",
  cedil: "\u0327",
};
const LETTER_WITH_MARK = /^([a-z])(grave|acute|circ|tilde|uml|ring|caron|cedil)$/i;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);/gi;
/** The tags that people put into a line; `a<b` is none. */
const TAG_OF_LINE = /<\/?(?:a|b|br|div|em|font|h[1-6]|i|p|small|span|strong|sub|sup|u)\b[^<>]*>/gi;

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
    .replaceAll(ENTITY, character)
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/\n\n(?=- )/g, "\n")
    .trim();
}

/** A text of one line without the markup in it. */
export function plainLine(text: string): string {
  if (!/[<&]/.test(text)) return text;
  return text
    .replaceAll(/<br\b[^<>]*>/gi, " ")
    .replaceAll(TAG_OF_LINE, "")
    .replaceAll(ENTITY, character)
    .trim();
}

/** The character of an entity such as `&amp;`, `&#8211;` or `&#x2013;`; one that is not known stays. */
function character(entity: string): string {
  const written = entity.slice(1, -1);
  const name = written.toLowerCase();
  if (!name.startsWith("#")) return entities[name] ?? letterNamed(written) ?? entity;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** The letter of a name such as `Uuml`; null for another name. */
function letterNamed(name: string): string | null {
  const [, letter = "", mark = ""] = LETTER_WITH_MARK.exec(name) ?? [];
  return `${letter}${marksOfLetters[mark] ?? ""}`.normalize("NFC") || null;
}
