// Reads the forms that the server's own pages send.

/** What receives the body of a request; a word says why there is none. */
interface Receiver {
  receive(
    request: Request,
    terms: { readonly audience: "keyless"; readonly bytesMax: number; readonly withinMs: number },
  ): Promise<Uint8Array | string>;
}

/** More than any form of a page has. */
const FORM_BYTES_MAX = 4096;
/** Long enough for a phone whose network is poor, milliseconds. */
const FORM_MS = 10_000;

/** The fields of the form; none of a body that is too large or is not a form. */
export async function readForm(request: Request, bodies: Receiver): Promise<URLSearchParams> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(
    request.headers.get("content-type") ?? "",
  );
  if (!isForm) return new URLSearchParams();
  const terms = { audience: "keyless", bytesMax: FORM_BYTES_MAX, withinMs: FORM_MS } as const;
  const received = await bodies.receive(request, terms);
  if (typeof received === "string") return new URLSearchParams();
  return new URLSearchParams(new TextDecoder().decode(received));
}
