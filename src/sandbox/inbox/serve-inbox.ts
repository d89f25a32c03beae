// Serves the test shop's inbox: `POST /hooks/test/inbox/{name}`, without authentication. Invariant: a
// refused request saves nothing, and the number of saved messages is bounded.

import type { Shop } from "#platform/database/shop.ts";
import { discardBody } from "#platform/http/json/read-body.ts";
import { type Router, unlisted } from "#platform/http/router.ts";

import { inboxName, MESSAGE_BYTES_MAX } from "./inbox.ts";
import { recordMessage } from "./record-message.ts";

/** Mounts the route; `onFault` receives internal errors. Throws for a live shop. */
export function mountInbox(app: Router, shop: Shop, onFault: (error: unknown) => void): void {
  if (shop.mode !== "test") throw new Error("Live mode has no inbox.");
  app.all(
    "/hooks/test/inbox/:name",
    async ({ request, params }) => {
      try {
        const { status, headers, text } = await receive(shop, request, params["name"] ?? "");
        const isRead = await discardBody(request);
        const closing = isRead ? {} : { Connection: "close" };
        return new Response(text ?? null, { status, headers: { ...headers, ...closing } });
      } catch (error) {
        onFault(error);
        return new Response(null, { status: 500 });
      }
    },
    unlisted,
  );
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

async function receive(shop: Shop, request: Request, name: string): Promise<Reply> {
  if (!inboxName.test(name)) return { status: 404 };
  if (request.method !== "POST") return { status: 405, headers: { Allow: "POST" } };
  const answeredStatus = requestedStatus(request.url);
  if (answeredStatus === null) {
    return { status: 400, text: "status must be a number from 200 to 599." };
  }
  const read = await readBytes(request);
  if ("status" in read) return read;
  const { headers } = request;
  await recordMessage(shop, { name, headers, bytes: read.bytes, answeredStatus });
  return { status: answeredStatus };
}

/** The status that the URL requests, for testing retries; null if it is out of range. */
function requestedStatus(url: string): number | null {
  const text = new URL(url).searchParams.get("status") ?? "200";
  return /^[2-5][0-9]{2}$/.test(text) ? Number(text) : null;
}

/** Reads a body only if its announced length is within the limit. */
async function readBytes(request: Request): Promise<Reply | { readonly bytes: Uint8Array }> {
  if (request.body === null) return { bytes: new Uint8Array() };
  const announced = request.headers.get("content-length");
  if (announced === null) return { status: 411 };
  if (Number(announced) > MESSAGE_BYTES_MAX) return { status: 413 };
  try {
    return { bytes: await request.bytes() };
  } catch (error) {
    // The sender disconnected in the middle of its body.
    if (request.signal.aborted) return { status: 400 };
    throw error;
  }
}
