// Reads the forms that the server's own pages send.

/** More than any form of a page has. */
const FORM_BYTES_MAX = 4096;

/** The fields of the form; none of a body that is too large or is not a form. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(
    request.headers.get("content-type") ?? "",
  );
  if (!isForm || !(length <= FORM_BYTES_MAX)) return new URLSearchParams();
  return new URLSearchParams(await request.text());
}
