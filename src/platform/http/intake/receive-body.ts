// The body of a request: JSON, or the file that its route takes.

import type { Caller } from "#platform/http/contract/caller.ts";
import { bodyTerms, readJsonBody } from "#platform/http/json/read-json-body.ts";
import type { JsonValue } from "#platform/http/json/strict-json.ts";

import type { Bodies } from "./bodies.ts";
import { receiveFile } from "./receive-file.ts";
import type { FileBody, Uploads } from "./uploads.ts";

interface Receivers {
  readonly bodies: Bodies;
  readonly uploads: Uploads;
}

interface Receiving {
  /** Null for a route that takes JSON. */
  readonly file: FileBody | null;
  readonly caller: Caller;
  /** Called with the bytes of JSON. */
  readonly received: (bytes: Uint8Array) => void;
  /** Keeps a file until the request has ended. */
  readonly until: AsyncDisposableStack;
}

/** The body as the route's handler has it, unless a check refuses it. */
export function receiveBody(
  request: Request,
  { bodies, uploads }: Receivers,
  { file, caller, received, until }: Receiving,
): Promise<JsonValue> {
  if (file !== null) return receiveFile(request, { uploads, file, until });
  return readJsonBody(request, bodies, { ...bodyTerms(caller), received });
}
