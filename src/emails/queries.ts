// SQL of emails beside the statements of every record.

import { and, asc, desc, eq, gt, inArray, lt, lte } from "drizzle-orm";

import type { PageRequest } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { contains } from "#platform/database/dialect.ts";
import { prepared, preparedByFilters } from "#platform/database/prepared.ts";
import { newestOfEach, versionedStatements } from "#platform/database/statements.ts";
import { events } from "#platform/database/tables.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";

import { watchedEvents } from "./called-for.ts";
import type { EmailStatus } from "./email-life.ts";
import { type Email, emailNotFound, type EmailTemplate } from "./email.ts";
import { emails } from "./tables.ts";

/** Statements of the email's row. `get` and `lock` refuse with `email_not_found`. */
export const emailRows = versionedStatements(emails, emailNotFound);

export interface EmailFilters {
  readonly orderId?: string | undefined;
  readonly cartIds?: readonly string[] | undefined;
  readonly statuses?: readonly EmailStatus[] | undefined;
  readonly templates?: readonly EmailTemplate[] | undefined;
}

const listed = preparedByFilters<{
  orderId?: string | undefined;
  cartIds?: readonly string[] | undefined;
  statuses?: readonly string[] | undefined;
  templates?: readonly string[] | undefined;
  after?: string | undefined;
  rows: number;
}>()((db, given) =>
  db
    .select()
    .from(emails)
    .where(
      and(
        given.has("orderId") ? eq(emails.orderId, given.one("orderId")) : undefined,
        given.has("cartIds") ? inArray(emails.cartId, given.each("cartIds")) : undefined,
        given.has("statuses") ? inArray(emails.status, given.each("statuses")) : undefined,
        given.has("templates") ? inArray(emails.template, given.each("templates")) : undefined,
        given.has("after") ? lt(emails.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(emails.id))
    .limit(given.one("rows")),
);

const ofCart = prepared<{ cartId: string }>()((db, at) =>
  db.select().from(emails).where(eq(emails.cartId, at.cartId)),
);

/** Returns the only email about the cart, or undefined. */
export async function findEmailOfCart(db: Reader, cartId: string): Promise<Email | undefined> {
  return (await ofCart(db, { cartId }))[0];
}

/** As payloads have it; within a text, quotes have a backslash before them. */
const NAMES_EMAIL = `"email":"`;
const eventsToTell = prepared<{ after: number; until: number; rows: number }>()((db, at) =>
  db
    .select()
    .from(events)
    .where(
      and(
        gt(events.sequence, at.after),
        lte(events.sequence, at.until),
        inArray(events.name, watchedEvents),
        contains(events.data, NAMES_EMAIL),
      ),
    )
    .orderBy(asc(events.sequence))
    .limit(at.rows),
);

/**
 * The events of a span that may call for an email, oldest first. Those that name no email are not even parsed: most of
 * a counter's.
 */
export function findEventsToTell(
  db: Reader,
  span: { readonly after: number; readonly until: number; readonly rows: number },
): Promise<LoggedEvent[]> {
  return eventsToTell(db, span);
}

/** Returns emails, newest first: one row more than the page holds. */
export function listEmailRows(
  db: Reader,
  filters: EmailFilters,
  page: PageRequest,
): Promise<Email[]> {
  const values = { ...filters, after: page.after ?? undefined, rows: page.limit + 1 };
  return newestOfEach(values, ["cartIds", "statuses", "templates"], (one) => listed(db, one));
}
