// A leader that a test gives and takes.

import type { Leader } from "#platform/scheduler/leader-election.ts";

export class HandLeader implements Leader {
  readonly #listeners = new Set<(isTaken: boolean) => void>();
  #isLeader = false;

  isLeader(): boolean {
    return this.#isLeader;
  }

  onGained(listener: (isTaken: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async lock(): Promise<boolean> {
    return this.#isLeader;
  }

  /** From now on this program leads; `isTaken` is false where no other program led in between. */
  give({ isTaken = true } = {}): void {
    this.#isLeader = true;
    for (const listener of this.#listeners) listener(isTaken);
  }

  take(): void {
    this.#isLeader = false;
  }
}

/** One that has it from the start. */
export function leading(): HandLeader {
  const leader = new HandLeader();
  leader.give();
  return leader;
}
