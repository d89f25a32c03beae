// Repairs of texts that other shops take and this shop does not: each answers the text that is taken over instead, and a
// note that says so. Duka's own files have none.

import { plainLine } from "./plain-text.ts";

/** The text that is taken over, empty for none, and what was mended. */
export interface Repaired {
  readonly text: string;
  readonly note: string;
}

/** Null for a text that is taken as it stands. */
type Repair = (text: string) => Repaired | null;

const ABSENT = /^(?:n\/?a|none|null|unknown|[-–—.])$/i;
/** A spreadsheet shows these in place of a value that it could not calculate. */
const SPREADSHEET_ERROR = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)$/;
const EXTENSION = /\s*(?:x|ext\.?|extension|#)\s*\d{1,6}$/i;
const BETWEEN_PHONES = /\s*(?:[/,;|]|\bor\b)\s*/i;
/** No plan of numbers has shorter ones, but numbers are written in parts of fewer digits. */
const PHONE_DIGITS_MIN = 7;
/** A number of goods that a spreadsheet took for one to count with. */
const WITH_ZERO_DECIMALS = /^(\d{8,14})\.0+$/;
/** A part of a word that is longer than this is not cut at its beginning. */
const WORD_LENGTH_MAX = 40;

/** A longer text is not told in a note. */
const SHOWN_MAX = 200;

/** The repairs by the kind of a column. */
export const repairs = {
  name: words(200, "name"),
  brand: words(100, "brand"),
  category: words(100, "category"),
  tag: words(50, "tag"),
  option: words(100, "option"),
  description: cutAt(10_000, "description"),
  picture_text: words(500, "text of the picture"),
  fact: words(500, "note"),
  person: words(100, "name"),
  seo_title: words(200, "title for search engines"),
  seo_description: words(500, "description for search engines"),
  code,
  barcode: (text) => {
    const [, digits] = WITH_ZERO_DECIMALS.exec(text) ?? [];
    if (digits === undefined) return code(text);
    return { text: digits, note: "The barcode is taken without the decimals of a spreadsheet." };
  },
  /** A number or a choice. */
  figure: (text) =>
    ABSENT.test(text)
      ? { text: "", note: `A cell with ${text} has no value, and is left blank.` }
      : null,
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

/** Shops put an apostrophe before digits, so that they stay a text. */
function code(text: string): Repaired | null {
  if (ABSENT.test(text) || SPREADSHEET_ERROR.test(text)) {
    return { text: "", note: `The code ${text} is none, and is left blank.` };
  }
  return /^'\d/.test(text)
    ? { text: text.slice(1), note: "The code is taken without the apostrophe before it." }
    : null;
}

/** Takes the markup out of a text of one line, and cuts a longer one. */
function words(lengthMax: number, name: string): Repair {
  const cut = cutAt(lengthMax, name);
  return (text) => {
    const plain = plainLine(text);
    const shortened = cut(plain);
    if (plain === text) return shortened;
    const note = `The ${name} is taken without its HTML.`;
    return { text: shortened?.text ?? plain, note: [note, shortened?.note ?? ""].join(" ").trim() };
  };
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

/** Spreadsheets write TRUE and FALSE in the language of who saves the file; other programs write yes and no. */
const yes = new Set(
  "true yes y t on 1 1.0 wahr ja vrai oui verdadero si sí verdadeiro sim vero sì waar prawda tak истина да sant sand tosi doğru evet igaz igen".split(
    " ",
  ),
);
const no = new Set(
  "false no n f off 0 0.0 falsch nein faux non falso não nao onwaar nee fałsz nie ложь нет falskt falsk epätosi yanlış hayır hamis nem".split(
    " ",
  ),
);

/** The choice that a cell tells; undefined for another text. */
export function readFlag(text: string): boolean | undefined {
  const word = text.toLowerCase().replace(/^'/, "");
  if (yes.has(word)) return true;
  return no.has(word) ? false : undefined;
}
