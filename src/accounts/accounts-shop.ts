// A shop whose customers sign in.

import type { HookMessage } from "#accounts/hook/hook.ts";
import type { CodeContact } from "#customers/sessions/code.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import type { MessagingShop } from "#messaging/webhooks/worker/messaging-shop.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Budgets } from "#platform/http/limits/budgets.ts";
import type { MarksShop } from "#shop/marks/abuse-marks.ts";

/** Why a message was not sent, in a few words that repeat nothing of it. */
export type SendFault = string;

export interface AccountsShop extends EmailsShop, MessagingShop, MarksShop {
  /** In test mode, takes what no hook takes; null in live mode. */
  readonly messageInbox: ((message: HookMessage) => Promise<void>) | null;
  /** In test mode, the code of a contact that stands for no one; null for a contact that is sent one. */
  readonly magicCodeOf: (contact: CodeContact) => string | null;
  /** Counts, by network, the codes to contacts that no customer has verified. */
  readonly strangersCodes: Budgets;
  /** Begins work that no answer waits for. A fault is logged. */
  readonly sendLater: (work: () => Promise<SendFault | null>) => void;
}

// Work that no answer waits for, such as sending a code or a link. It is not tried again: who waits for it asks for another one.

/** The part of a fault that is told. */
interface Fault {
  readonly mode: Mode;
  readonly fault?: SendFault;
  readonly error?: unknown;
}

export class SendingLater {
  readonly #onFault: (fault: Fault) => void;
  readonly #running = new Set<Promise<void>>();

  constructor(onFault: (fault: Fault) => void) {
    this.#onFault = onFault;
  }

  /** Begins the work after the answer that is about to be made. */
  begin(mode: Mode, work: () => Promise<SendFault | null>): void {
    const running = this.#run(mode, work).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Waits for all that has begun. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(mode: Mode, work: () => Promise<SendFault | null>): Promise<void> {
    try {
      await new Promise((resolve) => setImmediate(resolve));
      const fault = await work();
      if (fault !== null) this.#onFault({ mode, fault });
    } catch (error) {
      this.#onFault({ mode, error });
    }
  }
}
