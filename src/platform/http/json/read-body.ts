// Reads request bodies: media type, then size, then strict JSON. No byte is read before the first
// two checks, and bodies of unknown length are counted while they arrive.

import { type Fault } from "#kernel/refusal.ts";
import {
  bodyTooLarge,
  jsonMalformed,
  mediaTypeUnsupported,
} from "#platform/http/contract/refusals.ts";

import { type JsonValue, parseStrictJson } from "./strict-json.ts";

/** 1 MiB: a hundred times the largest body a shop needs. */
const BODY_BYTES_MAX = 1_048_576;

/** How long a refused body may take to arrive, milliseconds. */
const DISCARD_MS = 1_000;

/** The parsed body; an absent or empty body is an empty object. */
export async function readBody(request: Request): Promise<JsonValue> {
  const headers = request.headers;
  const announced = headers.get("content-length");
  if (request.body === null || announced === "0") return {};
  requireJson(headers);
  if (announced !== null && Number(announced) > BODY_BYTES_MAX) throw tooLarge();
  const bytes = await readBytes(request, request.body);
  if (bytes.byteLength === 0) return {};
  const parsed = parseStrictJson(bytes);
  if (parsed.ok) return parsed.value;
  throw malformed(parsed.fault);
}

function malformed(fault: Fault) {
  return jsonMalformed({ detail: fault.detail, faults: [fault] });
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

/** A caller that disconnects during its body sees no response; the fault is its own. */
async function readBytes(
  request: Request,
  stream: ReadableStream<Uint8Array>,
): Promise<Uint8Array> {
  try {
    const isAnnounced = request.headers.has("content-length");
    return isAnnounced ? await request.bytes() : await readCounted(stream);
  } catch (error) {
    if (!request.signal.aborted) throw error;
    throw malformed({ code: "json_syntax", detail: "The body was cut off." });
  }
}

async function readCounted(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The rest of the body is not read, so the connection cannot be reused. */
function tooLarge() {
  return bodyTooLarge({ headers: { Connection: "close" } });
}

/**
 * Reads and discards the rest of a body, so that the connection can be reused: otherwise the next
 * request would begin inside it. False if it is too large or too slow.
 */
export async function discardBody(request: Request): Promise<boolean> {
  if (request.bodyUsed || request.body === null) return true;
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) return false;
  const taken = readCounted(request.body).then(
    () => true,
    () => false,
  );
  return Promise.race([taken, Bun.sleep(DISCARD_MS).then(() => false)]);
}
