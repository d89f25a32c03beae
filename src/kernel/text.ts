// The forms of texts that people type and paste. What they copy from contacts, chats and pages brings characters along
// that no screen shows; two texts that look alike are one here. Each form of a form is itself.

/** Signs among the format characters that are printed: of Arabic numbers and verses, Syriac and Kaithi (Unicode, 23.2). */
const PRINTED = "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}";
const JOINERS = "\\u200c\\u200d";
const FLAG_TAGS = "\\u{e0020}-\\u{e007f}";
/** The characters that a joiner joins: Persian and Hindi letters, the parts of 👩‍💻. */
const SEEN =
  "\\p{L}\\p{M}\\ufe0f\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{Regional_Indicator}";

const FORMAT = new RegExp(`[\\p{Cf}--[${PRINTED}${JOINERS}${FLAG_TAGS}]]`, "gv");
const LOOSE_JOINERS = new RegExp(`(?<![${SEEN}])[${JOINERS}]|[${JOINERS}](?![${SEEN}])`, "gu");
/** The tags behind an emoji name the flag of a part of a country (UTS 51, ED-14a). */
const TAGS = new RegExp(
  `([\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])?[${FLAG_TAGS}]+`,
  "gu",
);
/** U+0000 stays, and is refused: no engine keeps it. */
const CONTROLS = /[[\p{Cc}\p{Zl}\p{Zp}]--\0]+/gv;
const LINE_ENDS = /\r\n|[\r\v\f\u2028\u2029]/g;
/** Nothing but characters without a look of their own: a name of them would be a row without a name. */
const UNSEEN = /^[\s\p{Default_Ignorable_Code_Point}]*$/u;
const DASHES = /[\p{Pd}\u2212]/gu;
const DIGIT = /^\p{Nd}$/u;
const OTHER_DIGITS = /[\p{Nd}--[0-9]]/gv;
const VARIATION_SELECTORS = /\p{Variation_Selector}/gu;
const VISIBLE_ASCII = /^[!-~]*$/;
const DOMAIN_AS_WRITTEN = /^[\p{L}\p{M}\p{N}.-]+$/u;
/** Most texts: they are in every form already. */
const PLAIN = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/** The form of a field. */
export type TextForm = keyof typeof forms;

const forms = { line, paragraphs, identifier };

/** The text in the form. */
export function inForm(form: TextForm, text: string): string {
  return forms[form](text);
}

/** A text in one line, composed (NFC), without blanks at its ends and without what no screen shows. */
export function line(text: string): string {
  if (PLAIN.test(text)) return text;
  return shown(text.replaceAll(CONTROLS, " ")).trim();
}

/** As `line`, but in lines of its own, which end with U+000A. */
function paragraphs(text: string): string {
  if (PLAIN.test(text)) return text;
  const lines = text.replaceAll(LINE_ENDS, "\n").split("\n");
  return shown(lines.map((one) => one.replaceAll(CONTROLS, " ")).join("\n")).trimEnd();
}

/**
 * As `line`, with `-` for every dash and ASCII digits: phones, emails, postal codes, SKUs and what else people copy
 * letter by letter.
 */
export function identifier(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = text
    .replaceAll(VARIATION_SELECTORS, "")
    .replaceAll(DASHES, "-")
    .replaceAll(OTHER_DIGITS, asciiDigit);
  return line(plain);
}

/** The email in its form, with its domain by IDNA. The local part keeps its letters (RFC 6531). */
export function readEmail(text: string): string {
  const email = identifier(text);
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  if (at === -1 || VISIBLE_ASCII.test(domain) || !DOMAIN_AS_WRITTEN.test(domain)) return email;
  // No domain is left of one that IDNA does not take, and the check of the field refuses it.
  return `${email.slice(0, at)}@${URL.parse(`https://${domain}`)?.hostname ?? ""}`;
}

/**
 * The texts by which a row is looked up that an identifier names: as it was sent, because a row may be older than the
 * forms and have it so, and in its form.
 */
export function soughtBy(
  sent: string,
  formOf: (text: string) => string = identifier,
): readonly string[] {
  const form = formOf(sent);
  return form === sent ? [form] : [sent, form];
}

/** Returns true if two texts are the same identifier, in capital or small letters. */
export function isSameIdentifier(one: string | null, other: string | null): boolean {
  return keyOf(one) === keyOf(other);
}

/** The identifier as it is compared where people space it as they like: in capitals, without blanks and dashes; null for nothing. */
export function bareIdentifier(text: string): string | null {
  const bare = identifier(text).replaceAll(/[\s-]/g, "").toUpperCase();
  return bare === "" ? null : bare;
}

function keyOf(text: string | null): string {
  return identifier(text ?? "")
    .toUpperCase()
    .toLowerCase();
}

function shown(text: string): string {
  if (UNSEEN.test(text) && !text.includes("\0")) return "";
  return text
    .replaceAll(FORMAT, "")
    .replaceAll(TAGS, (tags: string, emoji: string | undefined) =>
      emoji === undefined ? "" : tags,
    )
    .replaceAll(LOOSE_JOINERS, "")
    .normalize("NFC");
}

/** Digits of a script are ten code points in their order (Unicode, 4.6), and scripts may follow each other. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}
