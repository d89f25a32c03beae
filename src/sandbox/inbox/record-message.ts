// Workflow: saves a message that arrived at the test shop's inbox.

import { findSigner } from "#messaging/webhooks/endpoints/lookups.ts";
import { nextNumber } from "#platform/database/counters.ts";
import type { Shop } from "#platform/database/shop.ts";

import { MESSAGES_MAX, savedBody, savedHeaders } from "./inbox.ts";
import { insertMessage, trimMessages } from "./queries.ts";

export interface NewMessage {
  readonly name: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The status that its sender receives. */
  readonly answeredStatus: number;
}

/** Saves the message with the verdict on its signature, and deletes the oldest beyond the limit. */
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
      headers: savedHeaders(headers),
      body: savedBody(bytes),
      signature: isSigned ? verdict : "unsigned",
      webhookId,
      answeredStatus,
    });
    await trimMessages(tx, MESSAGES_MAX);
  });
}
