// One connection during one transaction. Statements are sent in order and only awaited if their
// rows are needed. Invariant: the end of the transaction reports the first failure, and with a
// timeout no statement waits forever.

import type { ReservedSQL } from "bun";

import { assume } from "#kernel/assume.ts";

import { isLostConnection, isSkipped, translatePostgresError, UnansweredCommit } from "./errors.ts";

const COMMIT = "COMMIT";

export class PostgresLink {
  readonly #connection: ReservedSQL;
  readonly #timeoutMs: number;
  /** Runs during the transaction and restarts with each response. */
  #timeout: NodeJS.Timeout | undefined;
  #sent: Promise<void>[] = [];
  #failure: Error | null = null;
  #isLost = false;
  /** Ends the wait for the answer to COMMIT. */
  #abandonCommit: (() => void) | null = null;
  #unanswered: Promise<void> | null = null;

  /**
   * With a timeout, a connection without any response for this many milliseconds counts as lost:
   * its packets may be dropped, or its commit may wait for a dead standby.
   */
  constructor(connection: ReservedSQL, timeoutMs = Number.POSITIVE_INFINITY) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
  }

  /** The first failure since the transaction began, translated; null if there was none. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** True if the connection ended, or its server no longer accepts writes. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Settles when an abandoned COMMIT is answered after all; null unless one was abandoned. */
  get unanswered(): Promise<void> | null {
    return this.#unanswered;
  }

  begin(statement = "BEGIN"): void {
    this.#failure = null;
    this.#abandonCommit = null;
    if (this.#timeoutMs < Number.POSITIVE_INFINITY) {
      this.#timeout ??= setTimeout(() => void this.#abort(), this.#timeoutMs);
    }
    this.send(statement);
  }

  /** Sends a statement whose rows are not needed. */
  send(text: string, values: unknown[] = []): void {
    const sent = this.#run(text, values).then(
      () => {},
      // Recorded as the transaction's failure.
      () => {},
    );
    this.#sent.push(sent);
  }

  /** The rows of a statement in the driver's form. Throws the transaction's first failure. */
  async ask(text: string, values: unknown[] = []): Promise<unknown[][]> {
    try {
      return await this.#run(text, values);
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  /** Resolves when every sent statement was answered, successfully or not. */
  async settled(): Promise<void> {
    const sent = this.#sent;
    this.#sent = [];
    await Promise.all(sent);
  }

  /**
   * Returns the connection to the pool; a closed one is discarded. One whose COMMIT was abandoned
   * stays reserved until the answer.
   */
  async release(): Promise<void> {
    clearTimeout(this.#timeout);
    if (this.#unanswered === null) await this.#giveBack();
  }

  async #giveBack(): Promise<void> {
    try {
      await this.#connection.release();
    } catch (error) {
      if (!isLostConnection(error)) throw error;
    }
  }

  /**
   * Makes pending statements fail as lost, by closing the connection. The driver cancels what it
   * waits for as it closes, and a cancelled COMMIT shows its rows though no standby has them: a
   * connection that waits for COMMIT is left alone.
   */
  async #abort(): Promise<void> {
    if (this.#abandonCommit !== null) return this.#abandonCommit();
    try {
      await this.#connection.close({ timeout: 0 });
    } catch (error) {
      if (!isLostConnection(error)) throw error;
    }
  }

  #committed(answer: Promise<unknown[][]>): Promise<unknown[][]> {
    if (this.#timeout === undefined) return answer;
    const { promise, reject } = Promise.withResolvers<never>();
    this.#abandonCommit = () => {
      this.#unanswered = answer.then(
        () => this.#giveBack(),
        // The story was told that its outcome is unknown.
        () => this.#giveBack(),
      );
      reject(new UnansweredCommit());
    };
    return Promise.race([answer, promise]);
  }

  async #run(text: string, values: unknown[]): Promise<unknown[][]> {
    try {
      const query =
        values.length === 0
          ? this.#connection(templateOf(text))
          : this.#connection.unsafe(text, values);
      const rows = await (text === COMMIT ? this.#committed(query.values()) : query.values());
      this.#timeout?.refresh();
      return rows;
    } catch (error) {
      if (isLostConnection(error)) this.#isLost = true;
      const translated = translatePostgresError(error, text);
      if (this.#failure === null && !isSkipped(error)) this.#failure = translated;
      throw translated;
    }
  }
}

const templates = new Map<string, TemplateStringsArray>();

/**
 * A statement without values in the form that the driver prepares and pipelines. The driver sends a
 * plain text only after everything before it was answered, which cost BEGIN and COMMIT a round trip
 * each.
 */
function templateOf(text: string): TemplateStringsArray {
  const known = templates.get(text);
  if (known !== undefined) return known;
  // The driver recognizes a template by `raw`, which is not enumerable in one.
  const made = assume<TemplateStringsArray>(
    Object.defineProperty([text], "raw", { value: Object.freeze([text]) }),
  );
  templates.set(text, made);
  return made;
}
