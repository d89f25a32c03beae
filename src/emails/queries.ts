// SQL of emails beside the statements of every record.

import { and, desc, eq, inArray, lt } from "drizzle-orm";

import type { PageRequest } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { preparedByFilters } from "#platform/database/prepared.ts";
import { newestOfEach, versionedStatements } from "#platform/database/statements.ts";

import type { EmailStatus } from "./email-life.ts";
import { type Email, emailNotFound, type EmailTemplate } from "./email.ts";
import { emails } from "./tables.ts";

/** Statements of the email's row. `get` and `lock` refuse with `email_not_found`. */
export const emailRows = versionedStatements(emails, emailNotFound);

export interface EmailFilters {
  readonly orderId?: string | undefined;
  readonly statuses?: readonly EmailStatus[] | undefined;
  readonly templates?: readonly EmailTemplate[] | undefined;
}

const listed = preparedByFilters<{
  orderId?: string | undefined;
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
        given.has("statuses") ? inArray(emails.status, given.each("statuses")) : undefined,
        given.has("templates") ? inArray(emails.template, given.each("templates")) : undefined,
        given.has("after") ? lt(emails.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(emails.id))
    .limit(given.one("rows")),
);

/** Returns emails, newest first: one row more than the page holds. */
export function listEmailRows(
  db: Reader,
  filters: EmailFilters,
  page: PageRequest,
): Promise<Email[]> {
  const values = { ...filters, after: page.after ?? undefined, rows: page.limit + 1 };
  return newestOfEach(values, ["statuses", "templates"], (one) => listed(db, one));
}
