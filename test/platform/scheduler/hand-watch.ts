// A watch that a test gives and takes.

import type { Watch } from "#platform/scheduler/leadership.ts";

export class HandWatch implements Watch {
  readonly #listeners = new Set<(isAnew: boolean) => void>();
  #isOurs = false;

  isOurs(): boolean {
    return this.#isOurs;
  }

  onGained(listener: (isAnew: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async hold(): Promise<boolean> {
    return this.#isOurs;
  }

  /** From now on it is theirs; not anew where nobody else had it in between. */
  give({ isAnew = true } = {}): void {
    this.#isOurs = true;
    for (const listener of this.#listeners) listener(isAnew);
  }

  take(): void {
    this.#isOurs = false;
  }
}

/** One that has it from the start. */
export function watching(): HandWatch {
  const watch = new HandWatch();
  watch.give();
  return watch;
}
