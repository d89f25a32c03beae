// Indexes the texts anew that an older version indexed, a part at a time. Each part is committed with its place, so that a
// program that is killed goes on where it stopped.

import { eq, inArray, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedLock, preparedWrite } from "#platform/database/prepared.ts";
import { rememberedOne } from "#platform/database/remembered.ts";
import { indexText, type SearchKind, searchKinds, searchTerms } from "#platform/database/search.ts";
import { searchRebuilds as rebuilds } from "#platform/database/tables.ts";

import type { AskedWords } from "./words.ts";

/** The texts of a kind, of which its noun knows how they are read. */
export interface IndexedTexts {
  readonly kind: SearchKind;
  /** Locks subjects behind one, in the order of their ids, and returns what each is found by. */
  readonly textsAfter: (
    tx: Tx,
    at: { readonly after: string; readonly rows: number },
  ) => Promise<readonly SubjectText[]>;
}

interface SubjectText {
  readonly subject: string;
  readonly text: string;
}

/** How far a kind has come. */
export interface RebuildProgress {
  readonly kind: string;
  readonly done: number;
  readonly total: number;
}

const rows = prepared()((db) =>
  db
    .select({ kind: rebuilds.kind, done: rebuilds.done, total: rebuilds.total })
    .from(rebuilds)
    .where(inArray(rebuilds.kind, searchKinds))
    .orderBy(rebuilds.kind),
);

const rememberedRows = rememberedOne([rebuilds], (db) => rows(db, {}));

/** How far each kind has come of which texts are left. */
export async function findRebuilds(db: Reader): Promise<readonly RebuildProgress[]> {
  return (await rememberedRows(db)) ?? [];
}

/** The terms of queries, by which texts that an older version indexed are found, too, as long as there are any. */
export async function termsFor(
  db: Reader,
  kind: SearchKind,
  ...queries: readonly AskedWords[]
): Promise<string> {
  const orFormer = (await findRebuilds(db)).length > 0;
  return searchTerms(kind, ...queries.map((query) => ({ ...query, orFormer })));
}

const lockPlace = preparedLock<{ kind: string }>()((db, at) =>
  db.select({ after: rebuilds.after }).from(rebuilds).where(eq(rebuilds.kind, at.kind)),
);
const movePlace = preparedWrite<{ kind: string; after: string; done: number }>()((tx, at) =>
  tx
    .update(rebuilds)
    .set({ after: sql`${at.after}`, done: sql`${rebuilds.done} + ${at.done}` })
    .where(eq(rebuilds.kind, at.kind)),
);
const dropPlace = preparedWrite<{ kind: string }>()((tx, at) =>
  tx.delete(rebuilds).where(eq(rebuilds.kind, at.kind)),
);

/** Texts per transaction, so that no request waits for it. */
const TEXTS_AT_ONCE = 50;

/** Indexes the next texts of a kind, or ends its rebuild. */
export async function rebuildNext(tx: Tx, { kind, textsAfter }: IndexedTexts): Promise<void> {
  const [place] = await lockPlace(tx, { kind });
  if (place === undefined) return;
  const texts = await textsAfter(tx, { after: place.after, rows: TEXTS_AT_ONCE });
  const last = texts.at(-1);
  if (last === undefined) {
    await dropPlace(tx, { kind });
    // The words of before leave the index, which is merged.
    tx.scrub();
    return;
  }
  for (const { subject, text } of texts) await indexText(tx, { kind, subject }, text);
  await movePlace(tx, { kind, after: last.subject, done: texts.length });
}
