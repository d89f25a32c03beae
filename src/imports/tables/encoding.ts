// The text of a file that a spreadsheet or a shop wrote, in whichever encoding. Invariant: a file that is UTF-8 but for a
// few bytes is read as nothing else, and a guess is said.

import { setImmediate } from "node:timers/promises";

import { UnreadableFile } from "./file-fault.ts";
import { byLikelihood, countWords, decoderOf, isLatin } from "./likely-encodings.ts";

const PIECE_BYTES = 65_536;
/** Lines that are kept to be shown, and to guess by. */
const SHOWN_LINES = 3;
const GUESSED_LINES = 50;
const LINE_BYTES_MAX = 400;
const SHOWN_LENGTH = 80;
/** Encodings that a person chooses from, beside UTF-8 and Windows-1252. */
const CHOICES = 3;

/** The lines with letters other than ASCII, as one encoding reads them. */
export interface EncodingChoice {
  readonly encoding: string;
  readonly lines: readonly string[];
}

/** The encoding of a file. */
export interface FileEncoding {
  /** As `TextDecoder` names it. */
  readonly encoding: string;
  /** True if the bytes do not tell it. */
  readonly isGuess: boolean;
  /** True if some bytes are no text in it. */
  readonly hasOddBytes: boolean;
  /** The first line with a letter other than ASCII. */
  readonly firstOdd: OddLine | null;
  /** Encodings that it may have, those that are likelier first; empty where the bytes tell it. */
  readonly choices: readonly EncodingChoice[];
}

interface OddLine {
  /** The number of the line. */
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** The bytes are a text in none of the encodings that can be guessed. */
export class UnknownEncoding extends UnreadableFile {
  readonly choices: readonly EncodingChoice[];

  constructor(detail: string, choices: readonly EncodingChoice[]) {
    super(detail);
    this.name = "UnknownEncoding";
    this.choices = choices;
  }
}

/** The name of the encoding for `TextDecoder`; null for one that is not known. */
export function encodingNamed(name: string): string | null {
  try {
    return decoderOf(name).encoding;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * The encoding of the bytes: the one that was given, else what their mark says, else UTF-8 if they are, or have a letter of
 * it, else that of old Excel if they are words in it. Throws UnknownEncoding for others; `hint` says how one is given.
 */
export async function encodingOf(
  file: Blob,
  { given, hint }: { readonly given: string | null; readonly hint: string },
): Promise<FileEncoding> {
  const mark = await markOf(file);
  const told = given ?? mark;
  if (isUtf8(told) && (await isValidUtf8(file))) return plain("utf-8");
  if (given === null && mark !== null && !isUtf8(mark)) return plain(mark);
  const odd = await oddLines(file);
  const choices = choicesOf(odd, given);
  const found = { isGuess: false, hasOddBytes: true, firstOdd: odd[0] ?? null, choices };
  if (told !== null) return { ...found, encoding: told };
  return guessed(file, found, hint);
}

/** Returns true for UTF-8, and where nothing tells another encoding. */
function isUtf8(told: string | null): boolean {
  return told === null || told === "utf-8";
}

async function guessed(
  file: Blob,
  found: Omit<FileEncoding, "encoding">,
  hint: string,
): Promise<FileEncoding> {
  if (await hasLetterOfUtf8(file)) return { ...found, encoding: "utf-8" };
  if (!(await isWindows1252(file))) throw unknownEncoding(found, hint);
  return { ...found, isGuess: true, encoding: "windows-1252" };
}

function unknownEncoding(
  { firstOdd, choices }: Pick<FileEncoding, "firstOdd" | "choices">,
  hint: string,
): UnknownEncoding {
  const readings = choices
    .filter(({ encoding }) => encoding !== "utf-8")
    .slice(0, 2)
    .map(({ encoding, lines }) => `“${lines[0] ?? ""}” in ${encoding}`);
  return new UnknownEncoding(
    `The file is not UTF-8. Its line ${firstOdd?.number ?? 1} is ${readings.join(", or ")}: ${hint}.`,
    choices,
  );
}

function plain(encoding: string): FileEncoding {
  const hasOddBytes = encoding !== "utf-8";
  return { encoding, isGuess: false, hasOddBytes, firstOdd: null, choices: [] };
}

const marks: readonly (readonly [bytes: RegExp, encoding: string])[] = [
  [/^efbbbf/, "utf-8"],
  [/^fffe/, "utf-16le"],
  [/^feff/, "utf-16be"],
  // The names of columns begin with letters of ASCII.
  [/^..00..00/, "utf-16le"],
  [/^00..00/, "utf-16be"],
];

/** The encoding that the first bytes tell; null if they do not. */
async function markOf(file: Blob): Promise<string | null> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer()).toHex();
  return marks.find(([bytes]) => bytes.test(head))?.[1] ?? null;
}

async function isValidUtf8(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const piece of piecesOf(file)) decoder.decode(piece, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Returns true if some bytes are a letter in UTF-8 that is none of ASCII. */
async function hasLetterOfUtf8(file: Blob): Promise<boolean> {
  for await (const text of decoded(file, "utf-8")) {
    if (/[^\0-\u007f\ufffd]/.test(text)) return true;
  }
  return false;
}

async function isWindows1252(file: Blob): Promise<boolean> {
  let [accented, strange, rest] = [0, 0, ""];
  const count = (text: string) => {
    if (!/[^\0-\u007f]/.test(text)) return;
    const counted = countWords(text);
    accented += counted.accented;
    strange += counted.strange;
  };
  for await (const piece of decoded(file, "windows-1252")) {
    const text = rest + piece;
    // A word has no line end, so each line has its own whole.
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    count(text.slice(0, end));
  }
  count(rest);
  return isLatin({ accented, strange });
}

/** The first lines with a byte that is none of ASCII, from a little before it. */
async function oddLines(file: Blob): Promise<OddLine[]> {
  const found: OddLine[] = [];
  let [number, from, oddAt, at] = [1, 0, -1, 0];
  const end = async (until: number) => {
    if (oddAt === -1) return;
    const start = Math.max(from, oddAt - SHOWN_LENGTH / 2);
    const bytes = await file.slice(start, Math.min(until, start + LINE_BYTES_MAX)).arrayBuffer();
    found.push({ number, bytes: new Uint8Array(bytes) });
  };
  for await (const piece of piecesOf(file)) {
    for (const byte of new Uint8Array(piece)) {
      if (byte > 0x7f && oddAt === -1) oddAt = at;
      if (byte === 0x0a) {
        await end(at);
        if (found.length === GUESSED_LINES) return found;
        [number, from, oddAt] = [number + 1, at + 1, -1];
      }
      at += 1;
    }
  }
  await end(at);
  return found;
}

/** The encodings that a person chooses from, with the lines as they would be read. */
function choicesOf(odd: readonly OddLine[], given: string | null): EncodingChoice[] {
  const lines = odd.map(({ bytes }) => bytes);
  const best = byLikelihood(lines);
  const encodings = new Set([...best.slice(0, CHOICES), "windows-1252", "utf-8"]);
  if (given !== null) encodings.add(given);
  return [...encodings].map((encoding) => ({
    encoding,
    lines: lines.slice(0, SHOWN_LINES).map((line) => lineIn(line, encoding)),
  }));
}

/** The line as the encoding reads it, shortened. */
export function lineIn(bytes: Uint8Array, encoding: string): string {
  // The end of the line may be cut within a letter.
  const whole = decoderOf(encoding).decode(bytes, { stream: true });
  const text = whole.replaceAll(/\p{Cc}/gu, " ").trim();
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH - 1)}…` : text;
}

/** The text, piece by piece, without a mark at its beginning. */
export async function* decoded(file: Blob, encoding: string): AsyncGenerator<string> {
  const decoder = decoderOf(encoding);
  for await (const piece of piecesOf(file)) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

async function* piecesOf(file: Blob): AsyncGenerator<ArrayBuffer> {
  for (let from = 0; from < file.size; from += PIECE_BYTES) {
    yield await file.slice(from, from + PIECE_BYTES).arrayBuffer();
    // Bytes in memory are there at once: other work of the program takes its turn between pieces.
    await setImmediate();
  }
}
