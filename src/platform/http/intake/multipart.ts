// Reads the files of a form that pages send as multipart/form-data (RFC 7578). The form goes to the disk first, and one
// form at a time is taken apart, so that few bytes are in memory however many forms arrive.

import { turns } from "#platform/files/turns.ts";

import type { BodyFault } from "./bodies.ts";
import type { ReceivedFile, Uploads } from "./uploads.ts";

/** Three of the largest pictures, or a dozen of a phone's; bytes. */
const FORM_BYTES_MAX = 66 * 1_048_576;
const BOUNDARY = /^multipart\/form-data\s*;.*\bboundary="?([^";]{1,70})"?/i;
const HEADERS_END = "\r\n\r\n";

const inTurn = turns(1);

/** The files of the form that are not empty; none of a body that is no such form. */
export async function receiveFiles(
  request: Request,
  uploads: Uploads,
  until: AsyncDisposableStack,
): Promise<ReceivedFile[] | BodyFault> {
  const [, boundary] = BOUNDARY.exec(request.headers.get("content-type") ?? "") ?? [];
  if (boundary === undefined) return [];
  const form = await uploads.receive(request, FORM_BYTES_MAX);
  if (typeof form === "string") return form;
  until.use(form);
  return inTurn(async () => {
    const files: ReceivedFile[] = [];
    const bytes = Buffer.from(await Bun.file(form.path).arrayBuffer());
    for (const content of filesIn(bytes, boundary)) {
      files.push(until.use(await uploads.keep(content)));
    }
    return files;
  });
}

/** The contents of the parts that are files. A part that is cut off is none. */
function* filesIn(form: Buffer, boundary: string): Generator<Buffer> {
  const delimiter = `\r\n--${boundary}`;
  // The first one begins the form.
  let at = form.indexOf(delimiter.slice(2));
  while (at !== -1) {
    const head = form.indexOf(HEADERS_END, at);
    const end = head === -1 ? -1 : form.indexOf(delimiter, head + HEADERS_END.length - 2);
    if (end === -1) return;
    const content = form.subarray(head + HEADERS_END.length, end);
    const isFile = /^content-disposition:.*\bfilename\*?=/im.test(
      form.toString("latin1", at, head),
    );
    if (isFile && content.byteLength > 0) yield content;
    at = end + 2;
  }
}
