// Files that people bring at the dashboard, from when they are checked until they are imported. They may have personal
// data, so none stays longer than a day.

import { bool, index, int, json, text, time } from "#platform/database/kit.ts";
import { hidden, id, personal, plain, record } from "#platform/database/record.ts";

import type { KeptReport, KeptTerms, NounName } from "./kept-report.ts";

export const importFiles = record(
  "import_files",
  {
    /** Random, since it stands in addresses. */
    id: plain(text().primaryKey()),
    noun: text().$type<NounName>().notNull(),
    /** Who brought it, and alone sees it. */
    personId: id("person").notNull(),
    /** Packed, in base64; null once it was imported. */
    content: hidden(personal(text())),
    terms: plain(json().$type<KeptTerms>().notNull()),
    /** The name of the run that is at work on it, or was the last one. */
    run: plain(text().notNull()),
    /** True if the run imports, or only checks. */
    applies: bool().notNull(),
    /** How many of how many the run has tried, then imported. */
    done: int().notNull(),
    total: int().notNull(),
    isImporting: bool().notNull(),
    /** The findings of the run; null while it is at work. */
    report: personal(json().$type<KeptReport>()),
    /** When the run was last heard of, by the clock of the machine. */
    seenAt: time().notNull(),
    createdAt: time().notNull(),
  },
  (row) => [index("import_files_created_index").on(row.createdAt)],
);
