// Reads the body of a route that takes a file: media type, then size, then the bytes, which go to the disk.

import { storageFull } from "#platform/database/errors.ts";
import { isDiskFull } from "#platform/files/durable-file.ts";
import { bodyTooLarge, headerInvalid, serverBusy } from "#platform/http/contract/refusals.ts";
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
