// How a noun declares its events: names, meanings and the one payload that they share. Schema and payload
// come from the same declaration, so that they cannot differ.

import type { TSchema } from "typebox";

import { assume } from "#kernel/assume.ts";
import { type Announcement, JsonText } from "#platform/database/database.ts";

/** What the documentation says of an event. */
export interface EventSchema {
  readonly description: string;
  /** The schema of the event's `data`. */
  readonly payload: TSchema;
}

/** How the payload of an event is made of a row; a `Field` of the wire is one. */
export interface Payload<Row, S extends TSchema = TSchema> {
  readonly schema: S;
  readonly write: (row: Row) => string;
}

/** The events of one payload. */
interface DeclaredEvents<N extends string, Row> {
  readonly schemas: Readonly<Record<N, EventSchema>>;
  /** Builds the event. Throws for a name that is not declared: a life table may name any event. */
  announce(name: string, subject: string, row: Row): Announcement;
}

/** Declares the events that carry this payload, each with its meaning in one sentence. */
export function declareEvents<Row, N extends string>(
  payload: Payload<Row>,
  meanings: Readonly<Record<N, string>>,
): DeclaredEvents<N, Row> {
  return {
    schemas: schemasOf(payload.schema, meanings),
    announce(name, subject, row) {
      if (!Object.hasOwn(meanings, name)) throw new Error(`No event is declared as ${name}.`);
      return { name, subject, data: new JsonText(payload.write(row)) };
    },
  };
}

function schemasOf<N extends string>(payload: TSchema, meanings: Readonly<Record<N, string>>) {
  const schemas: Partial<Record<N, EventSchema>> = {};
  for (const name in meanings) schemas[name] = { description: meanings[name], payload };
  // The cast holds: each name got its schema.
  return assume<Record<N, EventSchema>>(schemas);
}
