// Reads the files of a request: of a route that takes one, by media type, then size, then the bytes, which go to the
// disk; and of a form that pages send as multipart/form-data.

import { serverBusy, storageFull } from "#platform/database/errors.ts";
import { isDiskFull } from "#platform/files/durable-file.ts";
import { turns } from "#platform/files/turns.ts";
import { bodyTooLarge, headerInvalid } from "#platform/http/contract/refusals.ts";
import type { FileBody } from "#platform/http/contract/route.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { type BodyFault, BUSY_RETRY_SECONDS } from "./bodies.ts";
import type { ReceivedFile, Uploads } from "./uploads.ts";

interface Receiving {
  readonly uploads: Uploads;
  readonly file: FileBody;
  /** Keeps the file until the request has ended. */
  readonly until: AsyncDisposableStack;
}

/** The file as the route's handler has it. */
export async function receiveFile(
  request: Request,
  { uploads, file, until }: Receiving,
): Promise<JsonObject> {
  requireType(request.headers, file);
  const received = await uploads.receive(request, file.bytesMax).catch((error: unknown) => {
    throw isDiskFull(error) ? storageFull({ headers: { Connection: "close" } }) : error;
  });
  if (typeof received === "string") throw refusalOf(received, file);
  return bodyOfFile(until.use(received));
}

/** The body that a page of this server asks with for a file that it received itself. */
export function bodyOfFile({ path, sha256, bytes }: ReceivedFile): JsonObject {
  return { path, sha256, bytes };
}

/** Types that a form on a foreign page can send without a preflight are none of them. */
function requireType(headers: Headers, { mediaTypes, otherType }: FileBody): void {
  const [type = ""] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const encoding = headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (mediaTypes.includes(type.trim()) && encoding === "identity") return;
  const detail = `Content-Type must be ${mediaTypes.join(" or ")}, without Content-Encoding.`;
  throw otherType({
    detail,
    headers: { Accept: mediaTypes.join(", "), "Accept-Encoding": "identity" },
  });
}

/** The rest of the body is not read, so the connection cannot be reused. */
function refusalOf(fault: BodyFault, { bytesMax }: FileBody) {
  const headers = { Connection: "close" };
  switch (fault) {
    case "too_large":
      return bodyTooLarge({ headers, detail: `The file has more than ${bytesMax} bytes.` });
    case "too_busy":
      return serverBusy({ headers: { ...headers, "Retry-After": BUSY_RETRY_SECONDS } });
    case "too_late":
    // The caller disconnected and sees no response; the fault is its own.
    case "cut_off":
      return headerInvalid({
        headers,
        faults: [
          {
            header: "Content-Length",
            code: "invalid_format",
            detail: "The file did not arrive completely.",
          },
        ],
      });
  }
}

// Files of a form (RFC 7578). The form goes to the disk first, and one
// form at a time is taken apart, so that few bytes are in memory however many forms arrive.

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
