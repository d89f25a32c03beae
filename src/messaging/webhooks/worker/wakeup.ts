// A condition that one caller waits for and others signal.

export class Wakeup {
  #count = 0;
  #onSignal: () => void = () => {};

  /** The number of signals so far. */
  get count(): number {
    return this.#count;
  }

  /** Wakes the waiting caller. */
  signal(): void {
    this.#count += 1;
    this.#onSignal();
  }

  /** Resolves at the next signal or after the timeout, milliseconds. */
  next(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const alarm = setTimeout(resolve, withinMs);
      this.#onSignal = () => {
        clearTimeout(alarm);
        resolve();
      };
    });
  }
}
