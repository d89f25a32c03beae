// Work that no answer waits for, such as sending a code. It is not tried again: the customer asks for another one.

import type { Mode } from "#platform/database/shop.ts";

import type { SendFault } from "./accounts-shop.ts";

/** The part of a fault that is told. */
export interface Fault {
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
