// An act as the audit log is told of it. The log itself is a noun of the shop: the machinery knows only how an
// act is recorded.

import type { Tx } from "#platform/database/database.ts";

/** Values of a record as the wire shows them, by field. */
export type Shown = Readonly<Record<string, unknown>>;

/** The changes of an act to its subject. */
export interface ChangedFields {
  /** The names of the fields that differ. */
  readonly fields: readonly string[];
  /** Their values before and after; null where values are not kept. */
  readonly before: Shown | null;
  readonly after: Shown | null;
}

/** One act; who did it is the transaction's actor. */
export interface Act {
  /** The name of the API key, the person or the user of the operating system; null if there is none. */
  readonly actorName: string | null;
  /** The operation id, or the words of the command. */
  readonly action: string;
  /** The id of the record that was acted on; null if the act is about none or about many. */
  readonly subject: string | null;
  readonly difference?: ChangedFields | null;
  readonly requestId?: string | null;
  /** The network of the client, such as 192.0.2.0/24. */
  readonly clientNetwork?: string | null;
}

/** Appends the act to the audit log, in the transaction of the change. */
export type RecordAct = (tx: Tx, act: Act) => Promise<void>;
