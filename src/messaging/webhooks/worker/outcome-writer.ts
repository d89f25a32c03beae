// Saves outcomes in batches: each commit takes those that arrived during the previous one. Invariant:
// an outcome stays queued until it is saved; failed writes are retried.

import { nextTurn } from "#kernel/time.ts";
import type { EndedClaim } from "#messaging/webhooks/deliveries/delivery.ts";

/** Outcomes per commit: about 4 ms, the longest that a request waits behind it. */
const BATCH_SIZE = 64;
/** The pause after a failed write, milliseconds. */
const RETRY_MS = 1_000;

export interface OutcomeWriterTerms {
  readonly record: (ended: readonly EndedClaim[]) => Promise<void>;
  /** Called after each commit. */
  readonly onRecorded: () => void;
  readonly onFault: (error: unknown) => void;
  /** The pause after a failed write, milliseconds; one second by default. */
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

  /** The number of unsaved outcomes. */
  get length(): number {
    return this.#ended.length;
  }

  add(...ended: readonly EndedClaim[]): void {
    if (ended.length === 0) return;
    this.#ended.push(...ended);
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when every outcome is saved or its last write has failed. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#writing;
  }

  /**
   * After a failure the batch goes to the end of the queue, and batches of one are tried until writes
   * succeed: one outcome that never succeeds does not block the others.
   */
  async #writeAll(): Promise<void> {
    let size = BATCH_SIZE;
    while (this.#ended.length > 0) {
      await nextTurn();
      const batch = this.#ended.slice(0, size);
      try {
        await this.#terms.record(batch);
        this.#ended.splice(0, batch.length);
        size = Math.min(size * 2, BATCH_SIZE);
      } catch (error) {
        this.#terms.onFault(error);
        this.#ended.splice(0, batch.length);
        size = 1;
        // The next start recovers these claims and retries.
        if (this.#isClosing && batch.length === 1) continue;
        this.#ended.push(...batch);
        if (!this.#isClosing) await Bun.sleep(this.#terms.retryMs ?? RETRY_MS);
      }
      this.#terms.onRecorded();
    }
    this.#writing = null;
  }
}
