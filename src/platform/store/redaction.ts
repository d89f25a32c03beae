// Takes a person out of what the machinery keeps: payloads of the event log and stored answers.
// Invariant: ids and sequences stay, so no cursor notices; a key that was used stays used, so that
// no retry repeats an effect because somebody was erased in between.

import { and, eq, lt, sql } from "drizzle-orm";

import { eventsAfter } from "./event-log.ts";
import { prepared, preparedWrite } from "./prepared.ts";
import type { Tx } from "./store.ts";
import { events, storedAnswers } from "./tables.ts";

const EVENTS_AT_ONCE = 500;
/** Refusals repeat nothing that a caller sent, so they hold nobody. */
const REFUSALS_FROM = 400;

const rewriteEvent = preparedWrite<{ id: string; data: string }>()((tx, at) =>
  tx
    .update(events)
    .set({ data: sql`${at.data}` })
    .where(eq(events.id, at.id)),
);

/**
 * Rewrites the payload of every event about the subject by what `redact` makes of it. A number
 * that `redact` passes on is printed with the digits it had.
 */
export async function redactEvents(
  tx: Tx,
  subject: string,
  redact: (data: unknown) => unknown,
): Promise<void> {
  let after = 0;
  for (;;) {
    const found = await eventsAfter(tx, { after, limit: EVENTS_AT_ONCE, subject });
    for (const event of found) {
      const data = JSON.stringify(redact(parseWithDigits(event.data)));
      if (data !== event.data) await rewriteEvent(tx, { id: event.id, data });
    }
    if (found.length < EVENTS_AT_ONCE) return;
    after = found.at(-1)?.sequence ?? after;
  }
}

/** `249.50` stays `249.50`: a number comes as the raw JSON that it was written in. */
function parseWithDigits(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined
      ? JSON.rawJSON(context.source)
      : value,
  );
}

const answersNaming = prepared<{ subject: string }>()((db, at) =>
  db
    .select({ key: storedAnswers.key, body: storedAnswers.body })
    .from(storedAnswers)
    .where(
      and(
        lt(storedAnswers.status, REFUSALS_FROM),
        sql`instr(${storedAnswers.body}, ${at.subject}) > 0`,
      ),
    ),
);
const rewriteAnswer = preparedWrite<{ key: string; body: string }>()((tx, at) =>
  tx
    .update(storedAnswers)
    .set({ body: sql`${at.body}` })
    .where(eq(storedAnswers.key, at.key)),
);

/**
 * Empties every stored answer that names the subject down to the id of what it answered; status and
 * headers stay. Reads all answers that are kept (96 hours of them): a whole scan, for an act that
 * is rare, where an index would cost every write.
 */
export async function redactAnswers(tx: Tx, subject: string): Promise<void> {
  for (const { key, body } of await answersNaming(tx, { subject })) {
    const answered: unknown = JSON.parse(body);
    await rewriteAnswer(tx, { key, body: JSON.stringify({ id: idOf(answered), redacted: true }) });
  }
}

function idOf(answered: unknown): unknown {
  return typeof answered === "object" && answered !== null && "id" in answered
    ? answered.id
    : undefined;
}
