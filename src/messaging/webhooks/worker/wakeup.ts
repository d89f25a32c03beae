// Waiting for something to change: whoever does it says so, and whoever waits looks again.

export class Wakeup {
  #seen = 0;
  #onChange: () => void = () => {};

  /** How many there were. */
  get count(): number {
    return this.#seen;
  }

  /** Something changed. */
  tell(): void {
    this.#seen += 1;
    this.#onChange();
  }

  /** Resolves with the next one, or when so much time is over, milliseconds. */
  next(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const alarm = setTimeout(resolve, withinMs);
      this.#onChange = () => {
        clearTimeout(alarm);
        resolve();
      };
    });
  }
}
