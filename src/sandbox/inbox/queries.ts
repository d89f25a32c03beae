// All SQL of the inbox.

import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { contains } from "#platform/database/dialect.ts";
import { preparedByFilters, preparedInsert, preparedWrite } from "#platform/database/prepared.ts";

import type { SignatureVerdict } from "./inbox.ts";
import { type InboxMessage, inboxMessages } from "./tables.ts";

export const insertMessage = preparedInsert(inboxMessages);

const ofKind = (isStrangers: unknown) =>
  sql`${inboxMessages.isStrangers} = ${sql.param(isStrangers, inboxMessages.isStrangers)}`;
const dropOlder = preparedWrite<{ isStrangers: boolean; newer: number }>()((tx, at) =>
  tx
    .delete(inboxMessages)
    .where(
      and(
        ofKind(at.isStrangers),
        lt(
          inboxMessages.id,
          tx
            .select({ id: inboxMessages.id })
            .from(inboxMessages)
            .where(ofKind(at.isStrangers))
            .orderBy(desc(inboxMessages.id))
            .limit(1)
            .offset(at.newer),
        ),
      ),
    ),
);
const dropAll = preparedWrite()((tx) => tx.delete(inboxMessages));
const dropNamed = preparedWrite<{ name: string }>()((tx, at) =>
  tx.delete(inboxMessages).where(eq(inboxMessages.name, at.name)),
);
const dropWith = preparedWrite<{ text: string }>()((tx, at) =>
  tx.delete(inboxMessages).where(contains(inboxMessages.body, at.text)),
);
const dropTo = preparedWrite<{ alone: string; named: string }>()((tx, at) =>
  tx
    .delete(inboxMessages)
    .where(
      or(contains(inboxMessages.headers, at.alone), contains(inboxMessages.headers, at.named)),
    ),
);
const messagesBefore = preparedByFilters<{
  readonly rows: number;
  readonly after?: number | undefined;
  readonly name?: string | undefined;
  readonly signature?: readonly string[] | undefined;
}>()((db, given) =>
  db
    .select()
    .from(inboxMessages)
    .where(
      and(
        given.has("after") ? lt(inboxMessages.id, given.one("after")) : undefined,
        given.has("name") ? eq(inboxMessages.name, given.one("name")) : undefined,
        given.has("signature")
          ? inArray(inboxMessages.signature, given.each("signature"))
          : undefined,
      ),
    )
    .orderBy(desc(inboxMessages.id))
    .limit(given.one("rows")),
);

/** Deletes all but so many of the newest messages: of strangers, or of all others. */
export async function trimMessages(
  tx: Tx,
  { isStrangers, kept }: { readonly isStrangers: boolean; readonly kept: number },
): Promise<void> {
  await dropOlder(tx, { isStrangers, newer: kept - 1 });
}

/** Deletes the messages of the inbox with this name, or of all inboxes if undefined. */
export async function deleteMessages(tx: Tx, name: string | undefined): Promise<void> {
  await (name === undefined ? dropAll(tx, {}) : dropNamed(tx, { name }));
}

/** Deletes the messages whose body contains the text. Reads all of them, at most a thousand. */
export async function deleteMessagesWith(tx: Tx, text: string): Promise<void> {
  await dropWith(tx, { text });
}

/** Deletes the emails to the address: headers have it in quotes alone, or in angle brackets after a name. */
export async function deleteMessagesTo(tx: Tx, address: string): Promise<void> {
  const alone = JSON.stringify(address);
  await dropTo(tx, { alone, named: `<${alone.slice(1, -1)}>` });
}

export interface InboxFilters {
  readonly name?: string | undefined;
  readonly signature?: readonly SignatureVerdict[] | undefined;
}

/** Newest first, those after the given id. */
export function findMessages(
  db: Reader,
  filters: InboxFilters,
  { rows, after }: { readonly rows: number; readonly after: number | null },
): Promise<InboxMessage[]> {
  return messagesBefore(db, { rows, after: after ?? undefined, ...filters });
}
