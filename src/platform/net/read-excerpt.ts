// The beginning of an answer's body. Invariant: however much the other side sends, no more than
// 64 KiB and a chunk of it is ever taken in.

/** Read to its end up to here, so that the connection can be used again. */
const BODY_BYTES_MAX = 65_536;
/** What is worth keeping: enough for an error message and its stack. */
const EXCERPT_BYTES_MAX = 16_384;

export interface Excerpt {
  /** The first 16 KiB as text, with U+FFFD for what is none and for NUL. */
  readonly text: string;
  /** What ended the reading early; null when the body ended or was long enough. */
  readonly error: unknown;
}

/** Reads a body as far as it is wanted and lets go of the rest. Never rejects. */
export async function readExcerpt(body: ReadableStream<Uint8Array> | null): Promise<Excerpt> {
  const kept: Uint8Array[] = [];
  let error: unknown = null;
  try {
    let seen = 0;
    for await (const chunk of body ?? []) {
      if (seen < EXCERPT_BYTES_MAX) kept.push(chunk.subarray(0, EXCERPT_BYTES_MAX - seen));
      seen += chunk.length;
      if (seen > BODY_BYTES_MAX) break;
    }
  } catch (broken) {
    error = broken ?? new Error("The body broke off");
  }
  return { text: textOf(Buffer.concat(kept)), error };
}

/** A character that the limit cut through is left out; one that the sender broke is shown. */
function textOf(bytes: Uint8Array): string {
  const isCut = bytes.length === EXCERPT_BYTES_MAX;
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll("\0", "\uFFFD");
}
