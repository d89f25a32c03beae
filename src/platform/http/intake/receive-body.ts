// The body of a request: JSON, or the file that its route takes.

import type { Fault } from "#kernel/fault.ts";
import { serverBusy } from "#platform/database/errors.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import {
  bodyTooLarge,
  jsonMalformed,
  mediaTypeUnsupported,
  tooManyFields,
} from "#platform/http/contract/refusals.ts";
import type { FileBody } from "#platform/http/contract/route.ts";
import { type JsonValue, parseStrictJson } from "#platform/http/strict-json.ts";

import { type Bodies, type BodyFault, type BodyTerms, BUSY_RETRY_SECONDS } from "./bodies.ts";
import { receiveFile } from "./receive-file.ts";
import type { Uploads } from "./uploads.ts";

// Reads request bodies: media type, then size, then strict JSON. No byte is read before the first
// two checks.

/** 1 MiB: a hundred times the largest body a shop needs. */
const BODY_BYTES_MAX = 1_048_576;
/** The limit of a publishable key: strangers hold it, and no page sends more. */
const PUBLIC_BODY_BYTES_MAX = 65_536;
/** The names of a body: fifty sales of a till have 20,000. */
const NAMES_MAX = 50_000;
/** The limit of a publishable key. */
const PUBLIC_NAMES_MAX = 10_000;
/** A phone sends 64 KiB within this time also where its network is poor, milliseconds. */
const PUBLIC_BODY_MS = 30_000;

/** The body of a request with a key. */
function bodyTerms({ isPublic }: { readonly isPublic: boolean }): BodyTerms {
  return isPublic
    ? { audience: "public", bytesMax: PUBLIC_BODY_BYTES_MAX, withinMs: PUBLIC_BODY_MS }
    : { audience: "secret", bytesMax: BODY_BYTES_MAX, withinMs: null };
}

interface ReadTerms extends BodyTerms {
  /** The number of names that the objects of the body may have together. */
  readonly namesMax: number;
  /** Called with the bytes of the body before they are parsed. */
  readonly received: (bytes: Uint8Array) => void;
}

/** The parsed body; an absent or empty body is an empty object. */
async function readJsonBody(
  request: Request,
  bodies: Bodies,
  terms: ReadTerms,
): Promise<JsonValue> {
  const headers = request.headers;
  if (request.body === null || headers.get("content-length") === "0") return {};
  requireJson(headers);
  const received = await bodies.receive(request, terms);
  if (typeof received === "string") throw refusalOf(received, terms);
  if (received.byteLength === 0) return {};
  terms.received(received);
  const parsed = parseStrictJson(received, atMost(terms.namesMax));
  if (parsed.ok) return parsed.value;
  throw malformed(parsed.fault);
}

/** Returns what refuses the name after so many with `too_many_fields`: each costs the checks that follow. */
function atMost(namesMax: number): () => void {
  let names = 0;
  return () => {
    names += 1;
    if (names > namesMax) throw tooManyFields();
  };
}

/** The rest of the body is not read, so the connection cannot be reused. */
function refusalOf(fault: BodyFault, { bytesMax }: BodyTerms) {
  const headers = { Connection: "close" };
  switch (fault) {
    case "too_large":
      return bodyTooLarge({
        headers,
        ...(bytesMax < BODY_BYTES_MAX && {
          detail: `The body of a publishable key has at most ${bytesMax} bytes.`,
        }),
      });
    case "too_busy":
      return serverBusy({ headers: { ...headers, "Retry-After": BUSY_RETRY_SECONDS } });
    case "too_late":
      return malformed({ code: "json_syntax", detail: "The body took too long." }, headers);
    // The caller disconnected and sees no response; the fault is its own.
    case "cut_off":
      return malformed({ code: "json_syntax", detail: "The body was cut off." }, headers);
  }
}

function malformed(fault: Fault, headers: Readonly<Record<string, string>> = {}) {
  return jsonMalformed({ detail: fault.detail, faults: [fault], headers });
}

/** Other media types could be sent by a form on a foreign page, without a preflight. */
function requireJson(headers: Headers): void {
  const type = headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw mediaTypeUnsupported({ headers: { Accept: "application/json" } });
  }
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw mediaTypeUnsupported({ headers: { "Accept-Encoding": "identity" } });
  }
}

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
  const namesMax = caller.isPublic ? PUBLIC_NAMES_MAX : NAMES_MAX;
  return readJsonBody(request, bodies, { ...bodyTerms(caller), namesMax, received });
}
