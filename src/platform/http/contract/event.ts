// How a noun declares its events: their names, and the one payload that they share. Schema and payload come from the
// same declaration, so that they cannot differ.

import type { TSchema } from "typebox";

import { assume } from "#kernel/assume.ts";
import { type Announcement, JsonText } from "#platform/database/database.ts";

/** How the payload of an event is made of a row; a `Field` of the wire is one. */
export interface Payload<Row, S extends TSchema = TSchema> {
  readonly schema: S;
  readonly write: (row: Row) => string;
}

/** The events of one payload. */
interface DeclaredEvents<N extends string, Row> {
  /** The schema of the `data` of each event. */
  readonly payloads: Readonly<Record<N, TSchema>>;
  /** Builds the event. Throws for a name that is not declared: a life table may name any event. */
  announce(name: string, subject: string, row: Row): Announcement;
}

/** Declares the events that carry this payload. What each means is told by `messaging/events/event.ts`. */
export function declareEvents<Row, const N extends string>(
  payload: Payload<Row>,
  names: readonly N[],
): DeclaredEvents<N, Row> {
  const payloads = Object.fromEntries(names.map((name) => [name, payload.schema]));
  return {
    // The cast holds: each name got its schema.
    payloads: assume<Record<N, TSchema>>(payloads),
    announce(name, subject, row) {
      if (!Object.hasOwn(payloads, name)) throw new Error(`No event is declared as ${name}.`);
      return { name, subject, data: new JsonText(payload.write(row)) };
    },
  };
}
