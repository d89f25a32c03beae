// Queues of work that runs beside other work: at most so many of one queue at once. Invariant: work that
// has no room is not started, so that it holds no claim while it waits.

export interface Queue {
  readonly name: string;
  /** How many of it may run at once. */
  readonly width: number;
  /** The thing that the work is about: work about one thing runs one at a time, in the order of due times. */
  readonly about: string;
}

export class Queues {
  /** The running work by its key. */
  readonly #running = new Map<string, Queue & { readonly done: Promise<void> }>();
  #ended = 0;

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** How much work has ended so far. */
  get ended(): number {
    return this.#ended;
  }

  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  hasRoom({ name, width, about }: Queue): boolean {
    const running = [...this.#running.values()].filter((one) => one.name === name);
    return running.length < width && running.every((one) => one.about !== about);
  }

  /** Runs the work, which must not throw. */
  start(key: string, queue: Queue, work: () => Promise<void>): void {
    const done = work().finally(() => {
      this.#running.delete(key);
      this.#ended += 1;
    });
    this.#running.set(key, { ...queue, done });
  }

  /** Resolves once more work has ended than the given number, at once if none runs. */
  async moreEnded(before: number): Promise<void> {
    if (!this.isIdle && this.#ended === before)
      await Promise.race([...this.#running.values()].map(({ done }) => done));
  }

  /** Resolves once all running work has ended. */
  async allEnded(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }
}
