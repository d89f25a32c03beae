// Brings the drafts of a file to the shop, many at once, by the administrative socket; and a file of customers whole.

import type { Administration } from "#cli/operator/administer.ts";
import { listMember, member, textMember, textOrNull } from "#cli/operator/members.ts";
import { progressBar, progressLine } from "#cli/operator/table.ts";
import { readCustomers } from "#imports/customer-files/read-customers.ts";
import type { Draft } from "#imports/tables/draft.ts";
import { encodingNamed } from "#imports/tables/encoding.ts";
import type { ReadFile, SourceName } from "#imports/tables/read-file.ts";
import type { DraftAnswer, Policy } from "#imports/taking/import-draft.ts";
import { importedCustomers } from "#imports/taking/imported-nouns.ts";
import { refusedRows } from "#imports/taking/refused-rows.ts";
import {
  type ImportedNoun,
  type ImportResult,
  type Outcomes,
  runImport,
} from "#imports/taking/run-import.ts";
import type { Mode } from "#platform/database/shop.ts";
import { openGivenFile, readUnchanged } from "#platform/process/given-file.ts";

import type { FileReport } from "./import-report.ts";

/** The options of an import. */
export interface ImportTerms {
  readonly mode: Mode;
  readonly from?: SourceName;
  readonly encoding?: string;
  readonly existing: Policy;
  readonly apply?: true;
  readonly partial?: true;
}

interface ImportedFile<Read extends Draft> {
  readonly plural: "products" | "customers";
  readonly noun: ImportedNoun<Read>;
  readonly terms: ImportTerms;
}

/** Tries every draft, and imports them with `apply` as `runImport` does; a terminal shows the progress. */
export async function importDrafts<Read extends Draft>(
  shop: Pick<Administration, "run">,
  file: Pick<ReadFile<Read>, "drafts" | "faults">,
  { plural, noun, terms: { mode, existing, apply, partial } }: ImportedFile<Read>,
): Promise<ImportResult<Read>> {
  using progress = process.stderr.isTTY ? progressLine() : null;
  return await runImport(file, {
    noun,
    applies: apply === true,
    isPartial: partial === true,
    take: async (given, applies) => {
      const input = { mode, existing, apply: applies, given };
      const answered = await shop.run(`${plural}.import`, input);
      return listMember(answered, "answers").map(readAnswer);
    },
    onProgress: ({ applies, done, total }) => {
      progress?.draw(applies ? "Importing" : "Checking", () =>
        progressBar(done, total, `${total} ${plural}`),
      );
    },
  });
}

const outcomeNames: readonly DraftAnswer["outcome"][] = [
  "create",
  "update",
  "unchanged",
  "skip",
  "refuse",
];

function readAnswer(answer: unknown): DraftAnswer {
  const given = textMember(answer, "outcome");
  const outcome = outcomeNames.find((one) => one === given);
  if (outcome === undefined) {
    throw new TypeError(`The server answers with an outcome of another version: ${given}.`);
  }
  return {
    outcome,
    keys: listMember(answer, "keys").map(String),
    faults: listMember(answer, "faults").map((fault) => ({
      pointer: String(member(fault, "pointer")),
      code: textMember(fault, "code"),
      detail: textMember(fault, "detail"),
    })),
  };
}

interface CustomerReport extends FileReport {
  readonly customers: Outcomes;
}

/** Tries every customer, and imports them with `apply` if none has a fault. */
export async function importCustomers(
  shop: Pick<Administration, "run">,
  path: string,
  terms: ImportTerms,
): Promise<CustomerReport> {
  using given = openGivenFile(path);
  const content = Bun.file(given.path);
  const country = textOrNull(await shop.run("customers.terms", { mode: terms.mode }), "country");
  const file = await readUnchanged(given, () =>
    readCustomers({ content, ...givenTerms(terms) }, { country }),
  );
  const run = { plural: "customers", noun: importedCustomers, terms } as const;
  const done = await importDrafts(shop, file, run);
  return { ...reportOf({ path, terms, file, done }), customers: done.outcomes };
}

/** The terms by which a file is read, whatever its noun. */
export function givenTerms({ from, encoding: name }: ImportTerms) {
  const encoding = name === undefined ? null : encodingNamed(name);
  return { from, encoding, encodingHint: "name its encoding, such as --encoding windows-1251" };
}

interface Done<Read extends Draft> {
  readonly path: string;
  readonly terms: ImportTerms;
  readonly file: ReadFile<Read>;
  readonly done: ImportResult<Read>;
}

/** The report of a file. */
export function reportOf<Read extends Draft>({ path, terms, file, done }: Done<Read>): FileReport {
  const { source, rows, header, warnings } = file;
  const { applied, mended, faults, refused } = done;
  return {
    path,
    mode: terms.mode,
    source,
    rows,
    applied,
    partial: terms.partial === true,
    mended,
    faults,
    warnings,
    refusedRows: refusedRows({ header, refused, faults }),
  };
}
