// Reads the forms that the server's own pages send.

/** Receives the body of a request; a word says why there is none. */
interface Receiver<Fault extends string> {
  receive(
    request: Request,
    terms: { readonly audience: "keyless"; readonly bytesMax: number; readonly withinMs: number },
  ): Promise<Uint8Array | Fault>;
}

/** More than any form of a page for customers has. */
const FORM_BYTES_MAX = 4096;
/** Long enough for a phone whose network is poor, milliseconds. */
const FORM_MS = 10_000;

/** The fields of the form; none of a body that is too large or is not a form. */
export async function readForm(
  request: Request,
  bodies: Receiver<string>,
): Promise<URLSearchParams> {
  const form = await receiveForm(request, bodies, FORM_BYTES_MAX);
  return typeof form === "string" ? new URLSearchParams() : form;
}

/** The same; the word of the receiver for a body that it did not read. */
export async function receiveForm<Fault extends string>(
  request: Request,
  bodies: Receiver<Fault>,
  bytesMax: number,
): Promise<URLSearchParams | Fault> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(
    request.headers.get("content-type") ?? "",
  );
  if (!isForm) return new URLSearchParams();
  const terms = { audience: "keyless", bytesMax, withinMs: FORM_MS } as const;
  const received = await bodies.receive(request, terms);
  return typeof received === "string"
    ? received
    : new URLSearchParams(new TextDecoder().decode(received));
}

// Rules: digits as people type them with the keyboard of their language.

const DIGIT = /\p{Nd}/u;

/** The text with its digits in ASCII, of whatever script they are. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => String(valueOf(digit)));
}

/** The digits of a script are ten code points in a row, from its zero on. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}
