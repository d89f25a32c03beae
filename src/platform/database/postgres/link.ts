// One connection in the hands of one transaction. Statements go out in order and are not waited for
// unless somebody needs their rows. Invariant: whoever waits for the end learns the first failure, and
// where patience was agreed on, nobody waits for ever.

import type { ReservedSQL } from "bun";

import { assume } from "#kernel/assume.ts";

import { isAftermath, isLostConnection, translatePostgresError } from "./errors.ts";

export class PostgresLink {
  readonly #connection: ReservedSQL;
  readonly #patienceMs: number;
  /** Runs while the transaction does, and anew with each answer. */
  #patience: NodeJS.Timeout | undefined;
  #sent: Promise<void>[] = [];
  #failure: Error | null = null;
  #isLost = false;

  /**
   * With patience, a connection on which nothing is answered for so many milliseconds counts as lost: its
   * packets may be swallowed, or its commit wait for a standby that is gone.
   */
  constructor(connection: ReservedSQL, patienceMs = Number.POSITIVE_INFINITY) {
    this.#connection = connection;
    this.#patienceMs = patienceMs;
  }

  /** What went wrong first since the transaction began, in our words; null where nothing did. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Whether the connection ended, or its server takes no writes any more. */
  get isLost(): boolean {
    return this.#isLost;
  }

  begin(statement = "BEGIN"): void {
    this.#failure = null;
    if (this.#patienceMs < Number.POSITIVE_INFINITY) {
      this.#patience ??= setTimeout(() => void this.#cut(), this.#patienceMs);
    }
    this.send(statement);
  }

  /** Sends a statement whose rows nobody needs. */
  send(text: string, values: unknown[] = []): void {
    const sent = this.#run(text, values).then(
      () => {},
      // Kept as the failure of the transaction.
      () => {},
    );
    this.#sent.push(sent);
  }

  /** The rows of a statement, as the driver has them. Throws the first failure of all, if there is one. */
  async ask(text: string, values: unknown[] = []): Promise<unknown[][]> {
    try {
      return await this.#run(text, values);
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  /** Resolves when everything that was sent has been answered, well or badly. */
  async settled(): Promise<void> {
    const sent = this.#sent;
    this.#sent = [];
    await Promise.all(sent);
  }

  /** Gives the connection back; one that ended is nobody's any more. */
  async release(): Promise<void> {
    clearTimeout(this.#patience);
    try {
      await this.#connection.release();
    } catch (error) {
      if (!isLostConnection(error)) throw error;
    }
  }

  /** Ends the connection: whoever waits for an answer is told that it was lost. */
  async #cut(): Promise<void> {
    try {
      await this.#connection.close({ timeout: 0 });
    } catch (error) {
      if (!isLostConnection(error)) throw error;
    }
  }

  async #run(text: string, values: unknown[]): Promise<unknown[][]> {
    try {
      const query =
        values.length === 0
          ? this.#connection(templateOf(text))
          : this.#connection.unsafe(text, values);
      const rows = await query.values();
      this.#patience?.refresh();
      return rows;
    } catch (error) {
      if (isLostConnection(error)) this.#isLost = true;
      const told = translatePostgresError(error, text);
      if (this.#failure === null && !isAftermath(error)) this.#failure = told;
      throw told;
    }
  }
}

const templates = new Map<string, TemplateStringsArray>();

/**
 * What has no values as the driver takes it to be prepared. Handed over as a text it waits on our side
 * until everything before it is answered: a transaction's BEGIN and COMMIT took a way to the server each.
 */
function templateOf(text: string): TemplateStringsArray {
  const known = templates.get(text);
  if (known !== undefined) return known;
  // The driver tells a template from an array by `raw`, which is not enumerable there.
  const made = assume<TemplateStringsArray>(
    Object.defineProperty([text], "raw", { value: Object.freeze([text]) }),
  );
  templates.set(text, made);
  return made;
}
