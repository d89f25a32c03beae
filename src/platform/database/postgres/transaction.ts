// The Tx of PostgreSQL. It throws when it is used after its story ended. Invariant: events get
// their sequences in the transaction's last statement before COMMIT, under a row lock that ends
// with it, so that sequences follow the order of commits without gaps.

import { newId } from "#kernel/id.ts";
import {
  type Actor,
  type Announcement,
  jsonTextOf,
  run,
  type Statement,
  type Tx,
} from "#platform/database/database.ts";
import { asRows } from "#platform/database/statement-values.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { PostgresLink } from "./link.ts";
import type { Rounds } from "./rounds.ts";
import { type ReadyText, readyText } from "./statement.ts";

/** The counter of the last sequence; its row always exists. */
export const SEQUENCE = "event_sequence";

/** One statement, so that the counter's row is locked for one round trip less. */
const APPEND_EVENTS = `
  WITH taken AS (
    UPDATE counters SET value = value + $1 WHERE name = '${SEQUENCE}' RETURNING value - $1 AS before
  )
  INSERT INTO events (id, sequence, name, subject, actor, request_id, data, created_at)
  SELECT e.id, taken.before + e.ordinal, e.name, e.subject, e.actor, e.request_id, e.data, e.created_at
  FROM taken, json_to_recordset($2::text::json) AS e (
    id text, ordinal bigint, name text, subject text, actor text, request_id text, data text,
    created_at bigint
  )`;

interface PendingEvent {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly actor: string;
  readonly request_id: string | null;
  readonly data: string;
  readonly created_at: number;
}

export interface PostgresTxTerms {
  readonly now: number;
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly vault: Vault;
  /** Absent where the transaction is the story's own. */
  readonly shared?: SharedRounds;
}

/** The rounds of the stories that share a transaction, and the place of this one among them. */
export interface SharedRounds {
  readonly rounds: Rounds;
  readonly story: number;
}

export class PostgresTx implements Tx {
  readonly now: number;
  readonly actor: Actor;
  readonly vault: Vault;
  readonly #requestId: string | null;
  readonly #link: PostgresLink;
  readonly #shared: SharedRounds | undefined;
  readonly #events: PendingEvent[] = [];
  #isAlive = true;
  #hasWritten = false;
  #hasLeft = false;
  #isWakeRequested = false;

  /** The transaction was begun on the link. */
  constructor(link: PostgresLink, terms: PostgresTxTerms) {
    this.now = terms.now;
    this.actor = terms.actor;
    this.vault = terms.vault;
    this.#requestId = terms.requestId;
    this.#shared = terms.shared;
    this.#link = link;
  }

  /** True if the story is still running. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** True if listeners must be called after the commit. */
  get needsWake(): boolean {
    return this.#isWakeRequested || this.#events.length > 0;
  }

  /** True if it may have written a row. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** True if the story needs a transaction of its own after all. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** The events that it announced, in order. */
  get events(): readonly PendingEvent[] {
    return this.#events;
  }

  async [run]<Rows>(statement: Statement<Rows>, values: object): Promise<Rows> {
    this.#requireUse();
    const ready = readyText(statement);
    const shared = this.#shared;
    const rows = await (shared === undefined
      ? this.#ask(ready, values)
      : this.#askInRounds(shared, { statement, values, ready }));
    return asRows<Rows>(rows.map(ready.decode));
  }

  #ask({ lockingText, answers, bind }: ReadyText, values: object) {
    if (answers) return this.#link.ask(lockingText, bind(values));
    this.#link.send(lockingText, bind(values));
    return [];
  }

  async #askInRounds(
    { rounds, story }: SharedRounds,
    {
      statement,
      values,
      ready: { lockingText: text, answers, bind, many },
    }: {
      readonly statement: Statement<unknown>;
      readonly values: object;
      readonly ready: ReadyText;
    },
  ): Promise<unknown[][]> {
    const bound = bind(values);
    if (many !== undefined) {
      this.#hasWritten = true;
      rounds.append(many, bound);
      return [];
    }
    if (needsOwnTransaction(statement)) this.alone();
    const rows = await rounds.ask({ statement, values, text, bound, story });
    this.#hasWritten ||= statement.writes && (!answers || rows.length > 0);
    return rows;
  }

  async emit(announcement: Announcement): Promise<void> {
    this.#requireUse();
    const { at = this.now } = announcement;
    this.#events.push({
      id: newId("event", at),
      name: announcement.name,
      subject: announcement.subject,
      actor: JSON.stringify(this.actor),
      request_id: this.#requestId,
      data: jsonTextOf(announcement.data),
      created_at: at,
    });
  }

  alone(): void {
    this.#requireUse();
    if (this.#shared !== undefined) this.#leave();
  }

  wake(): void {
    this.#requireUse();
    this.#isWakeRequested = true;
  }

  /** PostgreSQL reuses the space of deleted rows after its own vacuum, which needs no request. */
  scrub(): void {
    this.#requireUse();
  }

  /** Commits. Every later use throws. Throws if the commit failed. */
  async commit(): Promise<void> {
    this.end();
    await commitWith(this.#link, this.#events);
  }

  /** Rolls back. Every later use throws. */
  async undo(): Promise<void> {
    this.end();
    this.#link.send("ROLLBACK");
    await this.#link.settled();
  }

  /** Every later use throws; the transaction goes on. */
  end(): void {
    this.#isAlive = false;
  }

  #leave(): never {
    this.#hasLeft = true;
    this.end();
    throw new Error("The story needs a transaction of its own.");
  }

  #requireUse(): void {
    if (!this.#isAlive) throw new Error("A transaction's handle was used after its story ended.");
  }
}

/** Appends the events in the transaction's last statement, and commits it. Throws its first failure. */
export async function commitWith(
  link: PostgresLink,
  events: readonly PendingEvent[],
): Promise<void> {
  if (events.length > 0) {
    const rows = events.map((event, index) => ({ ...event, ordinal: index + 1 }));
    link.send(APPEND_EVENTS, [rows.length, JSON.stringify(rows)]);
  }
  // Sent without waiting: if an earlier statement failed, the server treats COMMIT as ROLLBACK.
  link.send("COMMIT");
  await link.settled();
  if (link.failure !== null) throw link.failure;
}

/** Returns true if it decides on rows that another story of the same transaction could change meanwhile. */
function needsOwnTransaction({ locks, writes, lockPlace }: Statement<unknown>): boolean {
  return locks !== undefined || (writes && lockPlace === undefined);
}
