// Guesses of the encoding of a text, where its bytes do not tell: a file that is read in the wrong one has strange words.

/** Encodings of spreadsheets and old systems, those of more people first. */
const likely = [
  "windows-1251",
  "windows-1250",
  "windows-1253",
  "windows-1256",
  "windows-1255",
  "windows-874",
  "gbk",
  "shift_jis",
  "big5",
  "euc-kr",
  "koi8-r",
  "ibm866",
  "macintosh",
  "windows-1252",
  "windows-1254",
] as const;

const WORD = /[\p{L}\p{M}]+/gu;
const OTHER_THAN_ASCII = /[^\0-\u007f]/gu;
/** One script, small letters but for the first, or capitals. */
const REGULAR =
  /^(?:\p{Script=Latin}+|\p{Script=Cyrillic}+|\p{Script=Greek}+|[\p{Script=Hebrew}\p{M}]+|[\p{Script=Arabic}\p{M}]+|[\p{Script=Thai}\p{M}]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|\p{Script=Hangul}+)$/u;
const IRREGULAR_CASE = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const WITH_VOWELS = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{3,}$/u;
const VOWELS = /[aeiouyаеёиоуыэюяіїєαεηιουω]/giu;
/** A word of other letters alone has hardly any. */
const VOWELS_MIN = 0.25;

/** A decoder of the encoding. Bun's types name a few of those that it knows. */
export function decoderOf(encoding: string): TextDecoder {
  const decoder: TextDecoder = Reflect.construct(TextDecoder, [encoding]);
  return decoder;
}

/** The encodings, those first in which the lines have the most words as people write them. */
export function byLikelihood(lines: readonly Uint8Array[]): string[] {
  const scores = likely.map((label) => ({ label, score: scoreOf(lines, label) }));
  return scores.toSorted((one, other) => other.score - one.score).map(({ label }) => label);
}

/** The share of regular words in what is not ASCII; capitals are rarer than small letters. */
function scoreOf(lines: readonly Uint8Array[], label: string): number {
  const read = lines.map((line) => decoderOf(label).decode(line, { stream: true }));
  const text = read.join("\n");
  const odd = text.match(OTHER_THAN_ASCII)?.length ?? 0;
  if (odd === 0 || text.includes("\ufffd")) return -1;
  const words = (text.match(WORD) ?? []).filter((word) => /[^\0-\u007f]/.test(word));
  const regular = words.filter(isRegular).map((word) => word.match(OTHER_THAN_ASCII)?.length ?? 0);
  const small = text.match(/[^\0-\u007f\P{Ll}]/gu)?.length ?? 0;
  return regular.reduce((sum, length) => sum + length, 0) / odd + small / odd / 10;
}

function isRegular(word: string): boolean {
  const plain = word.normalize("NFD").replaceAll(/\p{M}/gu, "");
  if (!REGULAR.test(word) || IRREGULAR_CASE.test(word)) return false;
  // Words of Latin letters have some of ASCII.
  if (/^\p{Script=Latin}{2,}$/u.test(word) && !/[a-z]/i.test(word)) return false;
  const vowels = plain.match(VOWELS)?.length ?? 0;
  return !WITH_VOWELS.test(plain) || vowels >= plain.length * VOWELS_MIN;
}

/** Signs that stand between two letters of a text in Windows-1252; others are letters of another code page. */
const SIGN_IN_WORD = /\p{L}[^\p{L}\0-\u007f\s’‘“”–—·®™•…\u00ad]\p{L}/gu;
const UNUSED = /[\u0080-\u009fƒ]/gu;
/** A word that ends in capitals other than ASCII, or has one amid small letters. */
const MISPLACED_CAPITAL = /\p{Ll}[^\P{Lu}\0-\u007f]|\p{L}[^\P{Lu}\0-\u007f]\p{Ll}/u;
/** So many words of a hundred may be strange: a text has some of other languages. */
const STRANGE_PERCENT = 5;

/** The words of a text in Windows-1252 that have letters other than ASCII, and those of them that no language has. */
export interface WordCount {
  readonly accented: number;
  readonly strange: number;
}

/** Counts the words of a line that was read as Windows-1252. */
export function countWords(line: string): WordCount {
  const words = (line.match(WORD) ?? []).filter((word) => /[^\0-\u007f]/.test(word));
  const foreign = words.filter(
    (word) => (word.length > 1 && !/[a-z]/i.test(word)) || MISPLACED_CAPITAL.test(word),
  );
  const signs = (line.match(SIGN_IN_WORD)?.length ?? 0) + (line.match(UNUSED)?.length ?? 0);
  return { accented: words.length + signs, strange: foreign.length + signs };
}

/** Returns true if these are the words of a text in Latin letters. */
export function isLatin({ accented, strange }: WordCount): boolean {
  return strange * 100 <= accented * STRANGE_PERCENT;
}
