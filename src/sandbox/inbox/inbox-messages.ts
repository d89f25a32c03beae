// The messages of test mode that no hook takes: they are in the inbox `messages`, and leave the program never.

import type { HookMessage } from "#accounts/hook/hook.ts";
import type { Shop } from "#platform/database/shop.ts";

import { recordMessage } from "./record-message.ts";

/** The name of the inbox. */
const MESSAGES_INBOX = "messages";
const OKAY = 200;

/** Opens the way into the inbox. */
export function openInboxMessages(
  shop: Pick<Shop, "database">,
): (message: HookMessage) => Promise<void> {
  return (message) =>
    recordMessage(shop, {
      name: MESSAGES_INBOX,
      headers: [["content-type", "application/json"]],
      bytes: new TextEncoder().encode(JSON.stringify(message)),
      signature: "unsigned",
      webhookId: null,
      answeredStatus: OKAY,
    });
}
