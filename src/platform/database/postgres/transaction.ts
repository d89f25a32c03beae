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
import { readyText } from "./statement.ts";

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
  readonly ordinal: number;
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
}

export class PostgresTx implements Tx {
  readonly now: number;
  readonly actor: Actor;
  readonly vault: Vault;
  readonly #requestId: string | null;
  readonly #link: PostgresLink;
  readonly #events: PendingEvent[] = [];
  #isAlive = true;
  #isWakeRequested = false;

  /** The transaction was begun on the link. */
  constructor(link: PostgresLink, terms: PostgresTxTerms) {
    this.now = terms.now;
    this.actor = terms.actor;
    this.vault = terms.vault;
    this.#requestId = terms.requestId;
    this.#link = link;
  }

  /** Whether the story is still running. */
  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Whether listeners must be called after the commit. */
  get needsWake(): boolean {
    return this.#isWakeRequested || this.#events.length > 0;
  }

  async [run]<Rows>(statement: Statement<Rows>, values: object): Promise<Rows> {
    this.#requireUse();
    const { lockingText, answers, bind, decode } = readyText(statement);
    if (!answers) {
      this.#link.send(lockingText, bind(values));
      return asRows<Rows>([]);
    }
    const rows = await this.#link.ask(lockingText, bind(values));
    return asRows<Rows>(rows.map(decode));
  }

  async emit(announcement: Announcement): Promise<void> {
    this.#requireUse();
    const { at = this.now } = announcement;
    this.#events.push({
      id: newId("event", at),
      ordinal: this.#events.length + 1,
      name: announcement.name,
      subject: announcement.subject,
      actor: JSON.stringify(this.actor),
      request_id: this.#requestId,
      data: jsonTextOf(announcement.data),
      created_at: at,
    });
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
    this.#isAlive = false;
    if (this.#events.length > 0) {
      this.#link.send(APPEND_EVENTS, [this.#events.length, JSON.stringify(this.#events)]);
    }
    // Sent without waiting: if an earlier statement failed, the server treats COMMIT as ROLLBACK.
    this.#link.send("COMMIT");
    await this.#link.settled();
    if (this.#link.failure !== null) throw this.#link.failure;
  }

  /** Rolls back. Every later use throws. */
  async undo(): Promise<void> {
    this.#isAlive = false;
    this.#link.send("ROLLBACK");
    await this.#link.settled();
  }

  #requireUse(): void {
    if (!this.#isAlive) throw new Error("A transaction's handle was used after its story ended.");
  }
}
