// Workflow: saves a message that arrived at the test shop's inbox.

import type { Id } from "#kernel/id.ts";
import { nextNumber } from "#platform/database/held-rows.ts";
import type { Shop } from "#platform/database/shop.ts";

import { MESSAGES_MAX, savedBody, savedHeaders, type SignatureVerdict } from "./inbox.ts";
import { insertMessage, trimMessages } from "./queries.ts";

export interface NewMessage {
  readonly name: string;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly bytes: Uint8Array;
  readonly signature: SignatureVerdict;
  /** The webhook whose secret made the signature. */
  readonly webhookId: Id<"webhook"> | null;
  /** The status that its sender receives. */
  readonly answeredStatus: number;
}

/** Saves the message, and deletes the oldest beyond the limit. */
export async function recordMessage(
  { database }: Pick<Shop, "database">,
  { headers, bytes, ...message }: NewMessage,
): Promise<void> {
  await database.write(async (tx) => {
    await insertMessage(tx, {
      ...message,
      id: await nextNumber(tx, "inbox_messages", 1),
      receivedAt: tx.now,
      headers: savedHeaders(headers),
      body: savedBody(bytes),
    });
    await trimMessages(tx, MESSAGES_MAX);
  });
}
