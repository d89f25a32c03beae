// The token under which this program claims deliveries, and the claims that are still open here.
// Invariant: claims under other tokens are recovered only when none of them is still open here.

import { newRequestId } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Delivery } from "#messaging/webhooks/deliveries/delivery.ts";
import type { Database } from "#platform/database/database.ts";

import { recoverClaims } from "./outcomes.ts";

export class LeaseToken {
  #current = newRequestId();
  #isRecovered = false;
  /** Claimed, outcome not yet saved. */
  readonly #open = new Set<Delivery>();

  /** The token for new claims. */
  get current(): string {
    return this.#current;
  }

  /** Replaces the token. Claims under earlier tokens count as lost once they are not open here. */
  renew(): void {
    this.#current = newRequestId();
    this.#isRecovered = false;
  }

  open(claimed: readonly Delivery[]): void {
    for (const delivery of claimed) this.#open.add(delivery);
  }

  /** The outcomes of these claims are saved. */
  close(ended: readonly Delivery[]): void {
    for (const delivery of ended) this.#open.delete(delivery);
  }

  /** Makes lost claims pending again. Does nothing while claims under an earlier token are open here. */
  async recover(database: Database): Promise<void> {
    const claim = this.#current;
    if (this.#isRecovered || this.#hasOlder(claim)) return;
    while (await database.write((tx) => recoverClaims(tx, claim))) await nextTurn();
    this.#isRecovered = claim === this.#current;
  }

  #hasOlder(claim: string): boolean {
    for (const delivery of this.#open) if (delivery.claim !== claim) return true;
    return false;
  }
}
