// The test shop's inbox on the wire.

import Type, { type Static } from "typebox";

import { at, from, wire } from "#platform/http/contract/wire.ts";
import {
  choice,
  idOf,
  matching,
  nullable,
  object,
  optional,
  prose,
  whole,
} from "#platform/http/contract/words.ts";

import {
  BODY_LENGTH_MAX,
  EVENT_LENGTH_MAX,
  eventNameIn,
  inboxName,
  type SignatureVerdict,
  verdicts,
} from "./inbox.ts";
import type { InboxFilters } from "./queries.ts";
import type { InboxMessage } from "./tables.ts";

const name = Type.String({
  ...matching(inboxName.source, "Letters, digits, - and _, 1 to 64 of them."),
  maxLength: 64,
  description: "The last part of the inbox's URL.",
});

export const inboxMessageWire = wire<InboxMessage>()("InboxMessage", {
  id: from(
    (message: InboxMessage) => String(message.id),
    Type.String({ pattern: "^[1-9][0-9]*$", description: "Increases with each message." }),
  ),
  name,
  received_at: at,
  signature: Type.Unsafe<SignatureVerdict>({
    ...choice(verdicts),
    description:
      "`valid` if it is less than five minutes old and was made with the secret of a webhook that sends to this inbox, or with its previous secret that has not expired; `unsigned` without the `webhook-signature` header.",
  }),
  webhook_id: nullable(idOf("webhook")),
  event: from(
    ({ body }: InboxMessage) => eventNameIn(body),
    nullable(prose(EVENT_LENGTH_MAX, { description: "The member `event` of a JSON body." })),
  ),
  event_id: from(
    ({ headers }: InboxMessage) => headers["webhook-id"] ?? null,
    nullable(Type.String({ description: "The header `webhook-id`." })),
  ),
  delivery_id: from(
    ({ headers }: InboxMessage) => headers["duka-delivery-id"] ?? null,
    nullable(Type.String({ description: "The header `duka-delivery-id`." })),
  ),
  answered_status: whole(200, 599),
  headers: Type.Unsafe<Readonly<Record<string, string>>>({
    type: "object",
    additionalProperties: { type: "string" },
    description: "Names in lower case. Values of headers that carry credentials are `[redacted]`.",
  }),
  body: prose(BODY_LENGTH_MAX, {
    description: "As received; bytes that are not valid UTF-8 are replaced.",
  }),
});

export const inboxQuerySchema = object({
  name: optional(name),
  signature: optional(
    Type.Array(choice(verdicts), {
      minItems: 1,
      maxItems: verdicts.length,
      description: "Any of these, comma-separated.",
    }),
  ),
});

export const emptyInboxQuerySchema = object({
  name: optional({ ...name, description: "Only messages sent to this inbox." }),
});

/** Reads the filters of a list. */
export function readInboxQuery(query: Static<typeof inboxQuerySchema>): InboxFilters {
  return { name: query.name, signature: query.signature };
}
