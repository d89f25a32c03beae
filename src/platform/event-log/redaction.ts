// Removes a person's data from event payloads and stored answers. Invariant: ids and sequences
// stay, so cursors remain valid; used idempotency keys stay, so a retry after an erasure repeats no
// effect.

import { and, eq, inArray, lt, or, sql } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import { contains, fromText } from "#platform/database/dialect.ts";
import { prepared, preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";
import { leftOf, propertyOf, type RecordTable } from "#platform/database/record.ts";
import { events, storedAnswers } from "#platform/database/tables.ts";

import { eventsAfter, thaw } from "./event-log.ts";

/** A stored answer that has a secret is sealed, after a prefix with which no JSON begins. */
export const SEALED = "sealed:";

const EVENTS_AT_ONCE = 500;
/** Refusals never repeat what a caller sent, so they contain no personal data. */
const REFUSALS_FROM = 400;

const rewriteEvent = preparedWrite<{ id: string; data: string }>()((tx, at) =>
  tx
    .update(events)
    .set({ data: sql`${at.data}` })
    .where(eq(events.id, at.id)),
);

/** Returns the new value of a field; `holder` is the object or array that contains it. */
export type RedactField = (field: string, value: unknown, holder: unknown) => unknown;

/** Redacts the fields that have the name of a personal column of these records, wherever they stand. */
export function withoutPersonal(...records: readonly RecordTable[]): RedactField {
  return (field, value) =>
    records.reduce((left: unknown, of) => leftOf(of, propertyOf(field), left), value);
}

/** One redaction after the other. */
export function eachOf(...redactions: readonly RedactField[]): RedactField {
  return (field, value, holder) =>
    redactions.reduce((left, redact) => redact(field, left, holder), value);
}

/**
 * Rewrites every event about the subject, field by field. Every erasure does, so this is where the
 * engine is told of it.
 */
export async function redactEvents(tx: Tx, subject: string, redact: RedactField): Promise<void> {
  tx.scrub();
  let after = 0;
  for (;;) {
    const found = await eventsAfter(tx, { after, limit: EVENTS_AT_ONCE, subject });
    for (const event of found) {
      const data = redacted(event.data, redact);
      if (data !== event.data) await rewriteEvent(tx, { id: event.id, data });
    }
    if (found.length < EVENTS_AT_ONCE) return;
    after = found.at(-1)?.sequence ?? after;
  }
}

/** The JSON text with redacted fields. Numbers keep their digits: 249.50 stays 249.50. */
function redacted(text: string, redact: RedactField): string {
  return JSON.stringify(thaw(text), function (this: unknown, field, value: unknown) {
    return redact(field, value, this);
  });
}

const answersNaming = prepared<{ subject: string }>()((db, at) =>
  db
    .select({ key: storedAnswers.key, lineage: storedAnswers.lineage, body: storedAnswers.body })
    .from(storedAnswers)
    .where(
      and(
        lt(storedAnswers.status, REFUSALS_FROM),
        or(contains(storedAnswers.body, at.subject), contains(storedAnswers.about, at.subject)),
      ),
    ),
);
const rewriteAnswer = preparedWrite<{ key: string; lineage: string; body: string }>()((tx, at) =>
  tx
    .update(storedAnswers)
    .set({ body: sql`${at.body}` })
    .where(and(eq(storedAnswers.key, at.key), eq(storedAnswers.lineage, at.lineage))),
);

const SUBJECTS_AT_ONCE = 500;
const answersShowing = preparedByFilters<{
  mark: string;
  length: number;
  shown: readonly string[];
}>()((db, given) => {
  const first = fromText(storedAnswers.body, given.one("mark"), given.one("length"));
  return db
    .select({ key: storedAnswers.key, lineage: storedAnswers.lineage, body: storedAnswers.body })
    .from(storedAnswers)
    .where(and(lt(storedAnswers.status, REFUSALS_FROM), inArray(first, given.each("shown"))));
});

/**
 * Rewrites every stored answer whose first id of their kind is one of the subjects, field by field. One scan finds 500 of
 * them: strangers can name a customer in as many carts as they like.
 */
export async function redactAnswersOfEach(
  tx: Tx,
  subjects: readonly string[],
  redact: RedactField,
): Promise<void> {
  for (let from = 0; from < subjects.length; from += SUBJECTS_AT_ONCE) {
    // With the mark before it, as JSON has it.
    const shown = subjects.slice(from, from + SUBJECTS_AT_ONCE).map((subject) => `"${subject}`);
    const [text = ""] = shown;
    const mark = text.slice(0, text.indexOf("_") + 1);
    for (const found of await answersShowing(tx, { mark, length: text.length, shown })) {
      await rewriteAnswer(tx, { ...found, body: redacted(found.body, redact) });
    }
  }
}

/**
 * Rewrites every stored answer that is about the subject, field by field; status and headers stay.
 * Scans all stored answers, 96 hours of them, at about 0.7 s per million: erasures are rare, and an
 * index would slow down every write.
 */
export async function redactAnswers(tx: Tx, subject: string, redact: RedactField): Promise<void> {
  for (const { key, lineage, body } of await answersNaming(tx, { subject })) {
    const isSealed = body.startsWith(SEALED);
    const text = isSealed ? tx.vault.unseal(body.slice(SEALED.length)) : body;
    const left = redacted(text, redact);
    await rewriteAnswer(tx, { key, lineage, body: isSealed ? SEALED + tx.vault.seal(left) : left });
  }
}
