// Repairs of texts that other shops take and this shop does not: each answers the text that is taken over instead, and a
// note that says so. Duka's own files have none.

/** The text that is taken over, empty for none, and what was mended. */
export interface Repaired {
  readonly text: string;
  readonly note: string;
}

/** Null for a text that is taken as it stands. */
type Repair = (text: string) => Repaired | null;

const ABSENT = /^(?:n\/?a|none|null|unknown|[-–—.])$/i;
const EXTENSION = /\s*(?:x|ext\.?|extension|#)\s*\d{1,6}$/i;
const BETWEEN_PHONES = /\s*(?:[/,;|]|\bor\b)\s*/i;
/** No plan of numbers has shorter ones, but numbers are written in parts of fewer digits. */
const PHONE_DIGITS_MIN = 7;
/** A part of a word that is longer than this is not cut at its beginning. */
const WORD_LENGTH_MAX = 40;

/** A longer text is not told in a note. */
const SHOWN_MAX = 200;

/** The repairs by the kind of a column. */
export const repairs = {
  name: cutAt(200, "name"),
  brand: cutAt(100, "brand"),
  category: cutAt(100, "category"),
  tag: cutAt(50, "tag"),
  option: cutAt(100, "option"),
  description: cutAt(10_000, "description"),
  picture_text: cutAt(500, "text of the picture"),
  fact: cutAt(500, "note"),
  person: cutAt(100, "name"),
  seo_title: cutAt(200, "title for search engines"),
  seo_description: cutAt(500, "description for search engines"),
  phone: (text) => {
    if (ABSENT.test(text))
      return { text: "", note: `The phone ${text} is none, and is left blank.` };
    const [first = text, ...others] = text.split(BETWEEN_PHONES);
    if (others.length > 0 && [first, ...others].every(isWholePhone)) {
      const number = first.replace(EXTENSION, "");
      return { text: number, note: `Of the phones ${text}, the first is taken.` };
    }
    const plain = text.replace(EXTENSION, "");
    return plain === text
      ? null
      : { text: plain, note: "The phone is taken without its extension." };
  },
} as const satisfies Readonly<Record<string, Repair>>;

function isWholePhone(text: string): boolean {
  return (text.match(/\p{Nd}/gu) ?? []).length >= PHONE_DIGITS_MIN;
}

/** Cuts a longer text at the end of a word. */
function cutAt(lengthMax: number, name: string): Repair {
  return (text) => {
    const characters = [...text];
    if (characters.length <= lengthMax) return null;
    const head = characters.slice(0, lengthMax).join("");
    const whole = head.replace(/\s+\S*$/u, "");
    const cut = whole === "" || head.length - whole.length > WORD_LENGTH_MAX ? head : whole;
    const shown = lengthMax > SHOWN_MAX ? "" : `: ${cut}`;
    return { text: cut, note: `The ${name} is cut to ${[...cut].length} characters${shown}` };
  };
}
