// Workflow: something arrives at the receiver inside of the test shop.

import { findSigner } from "#messaging/webhooks/endpoints/lookups.ts";
import { nextNumber } from "#platform/database/counters.ts";
import type { Shop } from "#platform/database/shop.ts";

import { keptBody, keptHeaders, MESSAGES_MAX } from "./inbox.ts";
import { insertMessage, trimMessages } from "./queries.ts";

export interface NewMessage {
  readonly name: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** What its sender is going to hear. */
  readonly answeredStatus: number;
}

/** Afterwards the message is the newest, and where there are too many the oldest are gone. */
export async function recordMessage(shop: Shop, message: NewMessage): Promise<void> {
  const { name, headers, bytes, answeredStatus } = message;
  const isSigned = headers.has("webhook-signature");
  const webhookId = isSigned ? await findSigner(shop, { headers, bytes }) : null;
  const verdict = webhookId === null ? "invalid" : "valid";
  await shop.database.write(async (tx) => {
    await insertMessage(tx, {
      id: await nextNumber(tx, "inbox_messages", 1),
      name,
      receivedAt: tx.now,
      headers: keptHeaders(headers),
      body: keptBody(bytes),
      signature: isSigned ? verdict : "unsigned",
      webhookId,
      answeredStatus,
    });
    await trimMessages(tx, MESSAGES_MAX);
  });
}
