// What has ended and is not yet on record: one commit after the other takes what came meanwhile.
// Invariant: nothing is forgotten while the store cannot take it; it is tried again.

import type { EndedClaim } from "#messaging/webhooks/deliveries/delivery.ts";

/** Of one commit: about 4 ms, so that no order waits longer behind it. */
const AT_ONCE = 64;
/** After the store could not take something, milliseconds. */
const RETRY_MS = 1_000;

export interface OutcomeWriterTerms {
  readonly record: (ended: readonly EndedClaim[]) => Promise<void>;
  /** Called after each commit. */
  readonly onRecorded: () => void;
  readonly onFault: (error: unknown) => void;
  /** The pause after the store could not take something; a second unless told. */
  readonly retryMs?: number;
}

export class OutcomeWriter {
  readonly #terms: OutcomeWriterTerms;
  readonly #ended: EndedClaim[] = [];
  #writing: Promise<void> | null = null;
  #isClosing = false;

  constructor(terms: OutcomeWriterTerms) {
    this.#terms = terms;
  }

  /** How much is not yet on record. */
  get length(): number {
    return this.#ended.length;
  }

  add(...ended: readonly EndedClaim[]): void {
    if (ended.length === 0) return;
    this.#ended.push(...ended);
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when everything is on record, or the store refused once more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#writing;
  }

  /**
   * What could not be written goes behind the rest, and one at a time is tried until the store takes
   * them again: one that it never takes keeps nobody waiting.
   */
  async #writeAll(): Promise<void> {
    let atOnce = AT_ONCE;
    while (this.#ended.length > 0) {
      const batch = this.#ended.slice(0, atOnce);
      try {
        await this.#terms.record(batch);
        this.#ended.splice(0, batch.length);
        atOnce = Math.min(atOnce * 2, AT_ONCE);
      } catch (error) {
        this.#terms.onFault(error);
        this.#ended.splice(0, batch.length);
        atOnce = 1;
        // The next start finds these claims and sends again.
        if (this.#isClosing && batch.length === 1) continue;
        this.#ended.push(...batch);
        if (!this.#isClosing) await Bun.sleep(this.#terms.retryMs ?? RETRY_MS);
      }
      this.#terms.onRecorded();
    }
    this.#writing = null;
  }
}
