// Looking again and again, one look at a time, until told to stop. Nothing stays awake for it.

export interface PollLoopTerms {
  /** What is looked after; in the words of whoever reads an error. */
  readonly what: string;
  readonly look: () => Promise<void>;
  /** Told once for each time that looks begin to fail. */
  readonly onFault: (error: unknown) => void;
  /** Before the next look, milliseconds; asked after each. */
  readonly pauseMs: (isFailing: boolean) => number;
}

export class PollLoop {
  readonly #terms: PollLoopTerms;
  #state: "new" | "running" | "stopped" = "new";
  #alarm: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(terms: PollLoopTerms) {
    this.#terms = terms;
  }

  /** From now on it is looked, for the first time after so many milliseconds. */
  start(afterMs: number): void {
    if (this.#state !== "new") throw new Error(`${this.#terms.what} is started once.`);
    this.#state = "running";
    this.#sleep(afterMs);
  }

  /** Nobody looks any more; resolves when the look that was under way is over. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    clearTimeout(this.#alarm);
    await this.#looking;
  }

  #sleep(milliseconds: number): void {
    if (this.#state !== "running") return;
    this.#alarm = setTimeout(() => {
      this.#looking = this.#lookAgain();
    }, milliseconds);
    this.#alarm.unref();
  }

  async #lookAgain(): Promise<void> {
    try {
      await this.#terms.look();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#terms.onFault(error);
      this.#isFailing = true;
    }
    this.#sleep(this.#terms.pauseMs(this.#isFailing));
  }
}
