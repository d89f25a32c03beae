// A shop whose customers sign in.

import type { CodeContact } from "#customers/sessions/session.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import type { MessagingShop } from "#messaging/webhooks/worker/messaging-shop.ts";

import type { HookMessage } from "./hook/hook.ts";

/** Why a message was not sent, in a few words that repeat nothing of it. */
export type SendFault = string;

export interface AccountsShop extends EmailsShop, MessagingShop {
  /** In test mode, takes what no hook takes; null in live mode. */
  readonly messageInbox: ((message: HookMessage) => Promise<void>) | null;
  /** In test mode, the code of a contact that stands for no one; null for a contact that is sent one. */
  readonly magicCodeOf: (contact: CodeContact) => string | null;
  /** Begins work that no answer waits for. A fault is logged. */
  readonly sendLater: (work: () => Promise<SendFault | null>) => void;
}
