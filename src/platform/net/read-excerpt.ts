// Reads the beginning of a response's body. Invariant: at most 64 KiB and one chunk are read,
// however much the sender sends.

/** Bodies up to this size are read to the end, so that the connection can be reused. */
const BODY_BYTES_MAX = 65_536;
/** What is kept: enough for an error message with its stack. */
const EXCERPT_BYTES_MAX = 16_384;

export interface Excerpt {
  /** The first 16 KiB as text; invalid bytes and NUL become U+FFFD. */
  readonly text: string;
  /** The error that ended reading; null if the body ended or exceeded the limit. */
  readonly error: unknown;
}

/** Reads the body up to the limit and discards the rest. Never rejects. */
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
    error = broken ?? new Error("The body ended early");
  }
  return { text: textOf(Buffer.concat(kept)), error };
}

/** A character cut by the limit is dropped; one that the sender broke becomes U+FFFD. */
function textOf(bytes: Uint8Array): string {
  const isCut = bytes.length === EXCERPT_BYTES_MAX;
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll("\0", "\uFFFD");
}
