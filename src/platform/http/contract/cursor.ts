// Opaque cursors of lists: where the page ended, bound to the list it came from. Invariant: a text
// that this file did not make for this very scope is never read as a place in a list. The digest
// stops mistakes and mixed-up filters; it is no secret and grants nothing.

const VERSION = 1;
const DIGEST_LENGTH = 12;
const HEADER_LENGTH = 1 + DIGEST_LENGTH;

/** A place in a list. `scope` says which list: mode, path and filters in one canonical text. */
export interface CursorPlace {
  readonly after: string;
  readonly scope: string;
}

const encoder = new TextEncoder();
// Without ignoreBOM a value that begins with U+FEFF would come back shorter.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The cursor of the page that follows `after`: version, digest and value as base64url. */
export function encodeCursor(place: CursorPlace): string {
  const after = encoder.encode(place.after);
  const bytes = new Uint8Array(HEADER_LENGTH + after.length);
  bytes[0] = VERSION;
  bytes.set(digest(place), 1);
  bytes.set(after, HEADER_LENGTH);
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** The place a cursor names, or null where it is damaged, foreign or of other filters. */
export function decodeCursor(text: string, scope: string): { readonly after: string } | null {
  const bytes = fromBase64Url(text);
  if (bytes === null || bytes.length < HEADER_LENGTH) return null;
  const after = decoder.decode(bytes.subarray(HEADER_LENGTH));
  // Nothing that a list holds has one, and not every engine takes it in a question.
  if (after.includes("\0")) return null;
  // Comparing the text, not the bytes, also refuses second spellings of the same bytes.
  return encodeCursor({ after, scope }) === text ? { after } : null;
}

function fromBase64Url(text: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    return null;
  }
}

/** The length of the scope keeps `a` + `bc` apart from `ab` + `c`. */
function digest({ after, scope }: CursorPlace): Uint8Array {
  return new Bun.CryptoHasher("sha256")
    .update(`${VERSION}:${scope.length}:${scope}${after}`)
    .digest()
    .subarray(0, DIGEST_LENGTH);
}
