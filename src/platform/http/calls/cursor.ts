// Opaque cursors of lists: the end of a page, bound to its list. Invariant: only a cursor made here
// for the same scope is accepted. The digest detects mistakes and changed filters; it is not secret
// and grants no access.

const VERSION = 1;
const DIGEST_LENGTH = 12;
const HEADER_LENGTH = 1 + DIGEST_LENGTH;

/** A position in a list. `scope` identifies the list: mode, path and filters as canonical text. */
export interface CursorPlace {
  readonly after: string;
  readonly scope: string;
}

const encoder = new TextEncoder();
// ignoreBOM keeps a leading U+FEFF, which decoding would drop.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The cursor after `after`: version, digest and value as base64url. */
export function encodeCursor(place: CursorPlace): string {
  const after = encoder.encode(place.after);
  const bytes = new Uint8Array(HEADER_LENGTH + after.length);
  bytes[0] = VERSION;
  bytes.set(digest(place), 1);
  bytes.set(after, HEADER_LENGTH);
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** The position of a cursor; null if it is damaged or of another list. */
export function decodeCursor(text: string, scope: string): { readonly after: string } | null {
  const bytes = fromBase64Url(text);
  if (bytes === null || bytes.length < HEADER_LENGTH) return null;
  const after = decoder.decode(bytes.subarray(HEADER_LENGTH));
  // No stored value contains U+0000, and PostgreSQL refuses it in parameters.
  if (after.includes("\0")) return null;
  // Comparing texts, not bytes, also refuses other encodings of the same bytes.
  return encodeCursor({ after, scope }) === text ? { after } : null;
}

function fromBase64Url(text: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    return null;
  }
}

/** The scope's length keeps `a` + `bc` apart from `ab` + `c`. */
function digest({ after, scope }: CursorPlace): Uint8Array {
  return new Bun.CryptoHasher("sha256")
    .update(`${VERSION}:${scope.length}:${scope}${after}`)
    .digest()
    .subarray(0, DIGEST_LENGTH);
}
