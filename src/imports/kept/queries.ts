// SQL of the files that people bring. Invariant: a run writes only while it is the last one of its file.

import { and, eq, gt, isNotNull, isNull, lt, or, sql } from "drizzle-orm";

import { prepared, preparedInsert, preparedWrite } from "#platform/database/prepared.ts";
import { shownColumns } from "#platform/database/record.ts";

import type { KeptReport, KeptTerms, NounName } from "./kept-report.ts";
import { importFiles } from "./tables.ts";

export const insertFile = preparedInsert(importFiles);

export const fileById = prepared<{ id: string }>()((db, at) =>
  db.select(shownColumns(importFiles)).from(importFiles).where(eq(importFiles.id, at.id)),
);

export const contentById = prepared<{ id: string }>()((db, at) =>
  db.select({ content: importFiles.content }).from(importFiles).where(eq(importFiles.id, at.id)),
);

/** A file that a run is at work on which was heard of since. */
export const fileAtWork = prepared<{ since: number }>()((db, at) =>
  db
    .select({ id: importFiles.id })
    .from(importFiles)
    .where(and(isNull(importFiles.report), gt(importFiles.seenAt, at.since)))
    .limit(1),
);

/** Answers a row if the file still had the run `before`, which had ended or was silent since. */
export const startRun = preparedWrite<{
  id: string;
  before: string;
  silentBefore: number;
  run: string;
  terms: KeptTerms;
  applies: boolean;
  now: number;
}>()((tx, at) =>
  tx
    .update(importFiles)
    .set({
      run: sql`${at.run}`,
      terms: sql`${sql.param(at.terms, importFiles.terms)}`,
      applies: sql`${sql.param(at.applies, importFiles.applies)}`,
      isImporting: false,
      done: 0,
      total: 0,
      report: null,
      seenAt: sql`${at.now}`,
    })
    .where(
      and(
        eq(importFiles.id, at.id),
        eq(importFiles.run, at.before),
        isNotNull(importFiles.content),
        or(isNotNull(importFiles.report), lt(importFiles.seenAt, at.silentBefore)),
      ),
    )
    .returning({ id: importFiles.id }),
);

/** Answers no row if another run has begun meanwhile, or the file is gone. */
export const noteProgress = preparedWrite<{
  id: string;
  run: string;
  isImporting: boolean;
  done: number;
  total: number;
  now: number;
}>()((tx, at) =>
  tx
    .update(importFiles)
    .set({
      isImporting: sql`${sql.param(at.isImporting, importFiles.isImporting)}`,
      done: sql`${at.done}`,
      total: sql`${at.total}`,
      seenAt: sql`${at.now}`,
    })
    .where(and(eq(importFiles.id, at.id), eq(importFiles.run, at.run)))
    .returning({ id: importFiles.id }),
);

export const writeReport = preparedWrite<{ id: string; run: string; report: KeptReport }>()(
  (tx, at) =>
    tx
      .update(importFiles)
      .set({ report: sql`${sql.param(at.report, importFiles.report)}` })
      .where(and(eq(importFiles.id, at.id), eq(importFiles.run, at.run))),
);

export const dropContent = preparedWrite<{ id: string; run: string }>()((tx, at) =>
  tx
    .update(importFiles)
    .set({ content: null })
    .where(and(eq(importFiles.id, at.id), eq(importFiles.run, at.run))),
);

export const dropFilesOf = preparedWrite<{ personId: string; noun: NounName }>()((tx, at) =>
  tx
    .delete(importFiles)
    .where(and(eq(importFiles.personId, at.personId), eq(importFiles.noun, at.noun))),
);

export const dropFilesBefore = preparedWrite<{ before: number }>()((tx, at) =>
  tx.delete(importFiles).where(lt(importFiles.createdAt, at.before)),
);

export const dropAllFilesOf = preparedWrite<{ noun: NounName }>()((tx, at) =>
  tx.delete(importFiles).where(eq(importFiles.noun, at.noun)),
);
