// Forwards an event as the shop's own webhooks would send it: the same bytes, signed the same way.

import { realClock } from "#kernel/time.ts";
import { signatureHeaders } from "#messaging/webhooks/endpoints/signature.ts";
import { callAnywhere } from "#platform/net/call-anywhere.ts";

import type { FeedEvent } from "./feed-page.ts";

/** The timeout of the shop's own webhooks. */
const TIMEOUT_MS = 15_000;

interface Receiver {
  readonly url: string;
  readonly secret: string;
  readonly signal: AbortSignal;
}

/** The receiver's status, or a sentence about the failure. Never retries. */
export async function forwardEvent(event: FeedEvent, receiver: Receiver): Promise<string> {
  const { id, envelope: body } = event;
  const timestamp = Math.floor(realClock.now() / 1000);
  try {
    const { status } = await callAnywhere({
      method: "POST",
      url: receiver.url,
      headers: {
        ...signatureHeaders({ id, timestamp, body }, [receiver.secret]),
        "content-type": "application/json",
        "user-agent": "Duka-Webhooks",
      },
      body,
      timeoutMs: TIMEOUT_MS,
      signal: receiver.signal,
    });
    return String(status);
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)} The event is not sent again.`;
  }
}
