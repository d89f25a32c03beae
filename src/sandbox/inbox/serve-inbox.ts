// The receiver inside of the test shop: `POST /hooks/test/inbox/{name}`, open to whoever can reach
// us. Invariant: nothing is kept of a request that is refused, and of all others a bounded number.

import type { Shop } from "#platform/database/shop.ts";
import { discardBody } from "#platform/http/json/read-body.ts";
import { type Router, unlisted } from "#platform/http/router.ts";

import { inboxName, MESSAGE_BYTES_MAX } from "./inbox.ts";
import { recordMessage } from "./record-message.ts";

/** Adds the receiver; told of what goes wrong inside. */
export function mountInbox(app: Router, shop: Shop, onFault: (error: unknown) => void): void {
  if (shop.mode !== "test") throw new Error("Live mode has no inbox.");
  app.all(
    "/hooks/test/inbox/:name",
    async ({ request, params }) => {
      try {
        const { status, headers, text } = await take(shop, request, params["name"] ?? "");
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

async function take(shop: Shop, request: Request, name: string): Promise<Reply> {
  if (!inboxName.test(name)) return { status: 404 };
  if (request.method !== "POST") return { status: 405, headers: { Allow: "POST" } };
  const answeredStatus = statusAskedFor(request.url);
  if (answeredStatus === null) {
    return { status: 400, text: "The status to answer is a number from 200 to 599." };
  }
  const read = await readBytes(request);
  if ("status" in read) return read;
  const { headers } = request;
  await recordMessage(shop, { name, headers, bytes: read.bytes, answeredStatus });
  return { status: answeredStatus };
}

/** What whoever registered the URL wants to be told, so that retries can be tried out. */
function statusAskedFor(url: string): number | null {
  const text = new URL(url).searchParams.get("status") ?? "200";
  return /^[2-5][0-9]{2}$/.test(text) ? Number(text) : null;
}

/** Only a body of which it is known beforehand that it is not too large is read. */
async function readBytes(request: Request): Promise<Reply | { readonly bytes: Uint8Array }> {
  if (request.body === null) return { bytes: new Uint8Array() };
  const announced = request.headers.get("content-length");
  if (announced === null) return { status: 411 };
  if (Number(announced) > MESSAGE_BYTES_MAX) return { status: 413 };
  try {
    return { bytes: await request.bytes() };
  } catch (error) {
    // A sender that left in the middle of its body hears nothing more.
    if (request.signal.aborted) return { status: 400 };
    throw error;
  }
}
