// `/media/…`: the files of media, for everybody. What has a name never changes.

import { mediumOfFile } from "#catalog/rows/image.ts";
import { isUnavailable } from "#kernel/refusal.ts";
import type { ByteRange, FileStore } from "#platform/files/file-store.ts";
import { CLOSED_POLICY } from "#platform/html/html-document.ts";
import { isUnchanged } from "#platform/http/contract/answer.ts";
import { askedRange, openStreams, rangeWithin } from "#platform/http/ranges.ts";
import { type RouteContext, type Router, unlisted } from "#platform/http/router.ts";
import type { Parts } from "#platform/net/call-for-parts.ts";

import { mediaPath, type MediaShop } from "./media-shop.ts";

const ALLOW = "GET, HEAD, OPTIONS";
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };
const BYTES = { "Content-Type": "image/webp", "Accept-Ranges": "bytes" };
const RETRY_SECONDS = "5";
/** A year, the longest that caches are asked for. */
const CACHE = "public, max-age=31536000, immutable";
/** Large files of a bucket that are sent at once. Bun has 256 calls at work, and those of gateways wait for these. */
const STREAMS_MAX = 64;

/** Adds the files of these shops. `onFault` is told of a store that is away, or goes in the middle of a file. */
export function mountMedia(
  app: Router,
  shops: readonly MediaShop[],
  onFault: (error: unknown) => void,
): void {
  const stream = openStreams(STREAMS_MAX);
  for (const shop of shops) {
    const send: Send = { files: shop.media.files, bodyOf: (parts) => stream(parts, onFault) };
    const reply = async (context: RouteContext) => {
      try {
        return await answer(send, context);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        // A client that has left ends the call of its store.
        if (!context.request.signal.aborted) onFault(error);
        return new Response("The store of the pictures does not answer.\n", {
          status: 503,
          headers: { ...TEXT, "Retry-After": RETRY_SECONDS },
        });
      }
    };
    app.all(`${mediaPath(shop.mode)}/:folder/:name`, reply, unlisted);
  }
}

/** The place of the files, and how the body of one that is on its way is made. */
interface Send {
  readonly files: FileStore | null;
  readonly bodyOf: (parts: Parts) => ReadableStream<Uint8Array>;
}

function answer(send: Send, { request, params }: RouteContext): Promise<Response> | Response {
  if (request.method === "OPTIONS")
    return new Response(null, { status: 204, headers: { Allow: ALLOW } });
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response("This address is read with GET.\n", {
      status: 405,
      headers: { ...TEXT, Allow: ALLOW },
    });
  }
  const name = `${params["folder"] ?? ""}/${params["name"] ?? ""}`;
  return mediumOfFile(name) === null ? noFile() : sendFile(send, request, name);
}

/** A request for the bytes is sent them; any other is answered with what the store says of the file. */
async function sendFile(send: Send, request: Request, name: string): Promise<Response> {
  const tag = `"${name.slice(name.indexOf("/") + 1, -".webp".length)}"`;
  const headers = {
    "Cache-Control": CACHE,
    ETag: tag,
    "Content-Security-Policy": CLOSED_POLICY,
    // Pages of every origin show them, and may draw them on a canvas.
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  const file = { name, headers: { ...headers, ...BYTES } };
  const asked = askedRange(request, tag);
  const isKnown = isUnchanged(request.headers.get("if-none-match"), tag);
  if (request.method === "GET" && asked === null && !isKnown) return sendBytes(send, request, file);
  const bytes = (await send.files?.sizeOf(name)) ?? null;
  if (bytes === null) return noFile();
  if (isKnown) return new Response(null, { status: 304, headers });
  if (asked === null) {
    return new Response(null, { headers: { ...file.headers, "Content-Length": String(bytes) } });
  }
  const range = rangeWithin(asked, bytes);
  if (range !== null) return sendBytes(send, request, { ...file, part: { range, bytes } });
  return new Response(null, {
    status: 416,
    // A cache that knows no ranges would answer with it for a year.
    headers: { ...headers, "Cache-Control": "no-store", "Content-Range": `bytes */${bytes}` },
  });
}

interface Sent {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A part of a file of so many bytes. */
  readonly part?: { readonly range: ByteRange; readonly bytes: number };
}

async function sendBytes(
  { files, bodyOf }: Send,
  { signal }: Request,
  { name, headers, part }: Sent,
): Promise<Response> {
  const found = (await files?.open(name, { range: part?.range, signal })) ?? null;
  if (found === null) return noFile();
  const { content } = found;
  // Bun tells the length of what it has, and sends what is on its way in chunks (oven-sh/bun#10507).
  const body = content instanceof Blob ? content : bodyOf(content);
  if (part === undefined) return new Response(body, { headers });
  const { first, last } = part.range;
  return new Response(body, {
    status: 206,
    headers: {
      ...headers,
      "Content-Range": `bytes ${first}-${last}/${part.bytes}`,
    },
  });
}

function noFile(): Response {
  return new Response("There is no such file.\n", { status: 404, headers: TEXT });
}
