// Entries of the audit log on the wire.

import Type, { type Static } from "typebox";

import { kindOfId } from "#kernel/id.ts";
import { actorTypes } from "#platform/database/database.ts";
import { thaw } from "#platform/event-log/event-log.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/filters.ts";
import { at, from, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import {
  anyMembers,
  choice,
  idOf,
  line,
  nullable,
  object,
  optional,
} from "#platform/http/contract/words.ts";
import type { AuditFilters } from "#shop/audit/queries.ts";
import type { AuditEntry } from "#shop/audit/tables.ts";
import type { NamedActor } from "#shop/keys/lookups.ts";

/** Who acted, on the wire. */
export const namedActorShape = shape<NamedActor>()(
  {
    type: choice(actorTypes, {
      description: "An API key, a person, the shop itself, the command line, or a payment gateway.",
    }),
    id: nullable(Type.String()),
    name: nullable(
      Type.String({
        description:
          "The name that the key or the person had, or the user of the operating system.",
      }),
    ),
  },
  { name: "NamedActor" },
);

interface EntrySubject {
  readonly type: string;
  readonly id: string;
}

const subjectShape = shape<EntrySubject>()({
  type: Type.String({ description: "The kind of the record, such as `order`." }),
  id: Type.String(),
});

export const auditEntryWire = wire<AuditEntry>()("AuditEntry", {
  id: idOf("audit"),
  actor: from(actorOf, namedActorShape),
  action: Type.String({
    description: "The operation id of the request, or the words of the command.",
  }),
  subject: from(({ subject: id }: AuditEntry) => subjectOf(id), orNull(subjectShape)),
  changed_fields: Type.Array(Type.String(), {
    description: "The fields of the subject that changed, where they are compared.",
  }),
  before: from(
    ({ before }: AuditEntry) => valuesOf(before),
    nullable(anyMembers("The values of the changed fields before; only of settings and variants.")),
  ),
  after: from(
    ({ after }: AuditEntry) => valuesOf(after),
    nullable(
      anyMembers(
        "The same values after the change; of an export, how many records it has (`rows`).",
      ),
    ),
  ),
  request_id: nullable(Type.String()),
  client_network: nullable(
    Type.String({
      description: "The /24 or /48 network of the client's address. Deleted after 400 days.",
    }),
  ),
  created_at: at,
});

export const auditQuerySchema = object({
  actor: optional(
    line(64, {
      description:
        "The id of an API key or a person; `operator` is the command line, `system` the shop.",
    }),
  ),
  subject: optional(line(64, { description: "The id of a record." })),
  action: optional(
    line(64, { description: "An operation id such as `cancelOrder`, or a command." }),
  ),
  ...createdAtFilters,
});

/** The filters of a list. */
export function readAuditQuery(query: Static<typeof auditQuerySchema>): AuditFilters {
  const { actor: by, subject: id, action } = query;
  return { actor: by, subject: id, action, ...idSpan("audit", query) };
}

function actorOf({ actor: by, actorName: name }: AuditEntry): NamedActor {
  if (by === "operator" || by === "system") return { type: by, id: null, name };
  return { type: kindOfId(by) === "person" ? "person" : "api_key", id: by, name };
}

function subjectOf(id: string | null): EntrySubject | null {
  return id === null ? null : { type: snakeCase(kindOfId(id) ?? "record"), id };
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function valuesOf(text: string | null) {
  return text === null ? null : thaw(text);
}
