// Under which name this program sends, and what it has under way. Invariant: what another one claimed
// is sent again only while nothing of it can still end here.

import { newRequestId } from "#kernel/id.ts";
import type { Delivery } from "#messaging/webhooks/deliveries/delivery.ts";
import type { Database } from "#platform/database/database.ts";

import { recoverClaims } from "./outcomes.ts";

export class LeaseToken {
  #current = newRequestId();
  #isRecovered = false;
  /** Claimed, and not on record yet. */
  readonly #open = new Set<Delivery>();

  /** The name of whatever is claimed now. */
  get current(): string {
    return this.#current;
  }

  /**
   * From now on another name: what was claimed under any before belongs to nobody, unless it is still
   * under way here.
   */
  begin(): void {
    this.#current = newRequestId();
    this.#isRecovered = false;
  }

  opened(claimed: readonly Delivery[]): void {
    for (const delivery of claimed) this.#open.add(delivery);
  }

  /** It is on record what became of them. */
  closed(ended: readonly Delivery[]): void {
    for (const delivery of ended) this.#open.delete(delivery);
  }

  /** Afterwards what nobody has under way any more waits again; later, while some of it is ours. */
  async recover(database: Database): Promise<void> {
    const claim = this.#current;
    if (this.#isRecovered || this.#hasOlder(claim)) return;
    while (await database.write((tx) => recoverClaims(tx, claim)));
    this.#isRecovered = claim === this.#current;
  }

  #hasOlder(claim: string): boolean {
    for (const delivery of this.#open) if (delivery.claim !== claim) return true;
    return false;
  }
}
