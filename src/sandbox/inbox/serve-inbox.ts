// Serves the test shop's inbox: `POST /hooks/test/inbox/{name}`, without authentication. Invariant: a
// refused request saves nothing; the number of saved messages is bounded, and so are the messages of
// strangers in a minute. Those that a webhook signed are not counted: their number is the shop's own.

import { monotonicMs } from "#kernel/time.ts";
import { findSigner } from "#messaging/webhooks/endpoints/lookups.ts";
import type { Shop } from "#platform/database/shop.ts";
import { type Bodies, unreadReply } from "#platform/http/intake/bodies.ts";
import { RateWindow } from "#platform/http/limits/rate-window.ts";
import { isCrossSite, type Router, unlisted } from "#platform/http/router.ts";

import {
  inboxName,
  inboxPath,
  isInboxUrl,
  MESSAGE_BYTES_MAX,
  UNSIGNED_PER_MINUTE,
} from "./inbox.ts";
import { type NewMessage, recordMessage } from "./record-message.ts";

const MESSAGE = { audience: "keyless", bytesMax: MESSAGE_BYTES_MAX, withinMs: 10_000 } as const;

export interface InboxTerms {
  readonly bodies: Bodies;
  /** True if the disk has room for messages. */
  readonly hasRoom: () => boolean;
  /** Resolves to true while messages are taken that no webhook signed. */
  readonly isOpen: () => Promise<boolean>;
  /** Receives internal errors. */
  readonly onFault: (error: unknown) => void;
}

interface Inbox extends Omit<InboxTerms, "onFault"> {
  readonly shop: Shop;
  readonly unsigned: RateWindow;
}

/** Mounts the route. Throws for a live shop. */
export function mountInbox(app: Router, shop: Shop, { onFault, ...terms }: InboxTerms): void {
  if (shop.mode !== "test") throw new Error("Live mode has no inbox.");
  const inbox = { ...terms, shop, unsigned: new RateWindow(UNSIGNED_PER_MINUTE) };
  app.all(
    inboxPath(":name"),
    async ({ request, params }) => {
      try {
        const { status, headers, text } = await receive(inbox, request, params["name"] ?? "");
        const isRead = await inbox.bodies.discard(request);
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

const CROSS_SITE = "cross_site: pages of other sites send no messages to the inbox.";

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

async function receive(inbox: Inbox, request: Request, name: string): Promise<Reply> {
  if (!inboxName.test(name)) return { status: 404 };
  if (request.method !== "POST") return { status: 405, headers: { Allow: "POST" } };
  const isSigned = request.headers.has("webhook-signature");
  if (!isSigned && !(await inbox.isOpen())) return { status: 404 };
  if (isCrossSite(request)) return { status: 403, text: CROSS_SITE };
  const answeredStatus = requestedStatus(request.url);
  if (answeredStatus === null) {
    return { status: 400, text: "status must be a number from 200 to 599." };
  }
  return save(inbox, request, { name, answeredStatus });
}

/** Saves the message, unless there are too many without a valid signature. */
async function save(
  inbox: Inbox,
  request: Request,
  { name, answeredStatus }: Pick<NewMessage, "name" | "answeredStatus">,
): Promise<Reply> {
  const { headers } = request;
  const isSigned = headers.has("webhook-signature");
  if (!inbox.hasRoom()) return { status: 503, headers: { "Retry-After": "60" } };
  if (!isSigned && !inbox.unsigned.take(monotonicMs()).allowed) return tooMany(inbox);
  const bytes = await inbox.bodies.receive(request, MESSAGE);
  if (typeof bytes === "string") return unreadReply(bytes);
  const verdict = isSigned ? await verdictOn(inbox, name, { headers, bytes }) : unsigned;
  if ("status" in verdict) return verdict;
  const isStrangers = verdict.webhookId === null;
  const message = { name, headers, bytes, answeredStatus, isStrangers };
  await recordMessage(inbox.shop, { ...message, ...verdict });
  return { status: answeredStatus };
}

const unsigned = { signature: "unsigned", webhookId: null } as const;

/** The verdict on the signature, or the refusal of an invalid one. */
async function verdictOn(
  inbox: Inbox,
  name: string,
  message: Pick<NewMessage, "bytes"> & { readonly headers: Headers },
): Promise<Pick<NewMessage, "signature" | "webhookId"> | Reply> {
  const webhookId = await findSigner(inbox.shop, message, (url) => isInboxUrl(url, name));
  if (webhookId !== null) return { signature: "valid", webhookId };
  if (!(await inbox.isOpen())) return { status: 404 };
  if (!inbox.unsigned.take(monotonicMs()).allowed) return tooMany(inbox);
  return { signature: "invalid", webhookId };
}

function tooMany(inbox: Inbox): Reply {
  const { retryAfterSeconds } = inbox.unsigned.peek(monotonicMs());
  return { status: 429, headers: { "Retry-After": String(retryAfterSeconds ?? 1) } };
}

/** The status that the URL requests, for testing retries; null if it is out of range. */
function requestedStatus(url: string): number | null {
  const text = new URL(url).searchParams.get("status") ?? "200";
  return /^[2-5][0-9]{2}$/.test(text) ? Number(text) : null;
}
