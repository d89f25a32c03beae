// The text of a file that a spreadsheet or a shop wrote, in whichever encoding.

import { setImmediate } from "node:timers/promises";

const PIECE_BYTES = 65_536;

/** An encoding, and whether it was guessed: any bytes are a text in Windows-1252. */
interface Encoding {
  readonly label: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
  readonly isGuess: boolean;
}

/** The encoding of the bytes: what their mark says, else UTF-8 if they are, else that of old Excel. */
export async function encodingOf(file: Blob): Promise<Encoding> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const [first, second, , fourth] = head;
  if (first === 0xff && second === 0xfe) return { label: "utf-16le", isGuess: false };
  if (first === 0xfe && second === 0xff) return { label: "utf-16be", isGuess: false };
  // The names of columns begin with letters of ASCII.
  if (second === 0 && fourth === 0) return { label: "utf-16le", isGuess: false };
  return (await isUtf8(file))
    ? { label: "utf-8", isGuess: false }
    : { label: "windows-1252", isGuess: true };
}

async function isUtf8(file: Blob): Promise<boolean> {
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

/** The text, piece by piece, without a mark at its beginning. */
export async function* decoded(file: Blob, label: Encoding["label"]): AsyncGenerator<string> {
  const decoder = new TextDecoder(label);
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
