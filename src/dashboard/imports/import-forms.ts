// The forms of a file that was chosen: it is checked anew in another way, imported, and its faults are saved.

import { beginRun } from "#imports/kept/begin-run.ts";
import type { KeptFile } from "#imports/kept/kept-file.ts";
import type { KeptTerms, NounName } from "#imports/kept/kept-report.ts";
import { findOwnFile } from "#imports/kept/lookups.ts";
import { sources } from "#imports/tables/read-file.ts";
import { isCurrency } from "#kernel/currency.ts";
import { randomBytes } from "#kernel/random.ts";
import { Faults } from "#kernel/refusal.ts";
import { csvRow, TEXT_MARK } from "#sheets/csv-row.ts";

import type { CustomForm, Download, DownloadForm } from "../forms/form.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

const words = en.imports;

/** The forms of the page of one file. */
export function importForms(noun: NounName) {
  const check: CustomForm = {
    handle: (visit, fields) => begin(visit, noun, { fields, applies: false }),
    doneMessage: null,
  };
  const apply: CustomForm = {
    handle: (visit, fields) => begin(visit, noun, { fields, applies: true }),
    doneMessage: null,
  };
  const report: DownloadForm = { download: (visit) => reportOf(visit, noun) };
  return { check, apply, report };
}

/** The file of the page's address; undefined where the person has none of that name. */
export function fileOfPage(visit: Visit, noun: NounName): Promise<KeptFile | undefined> {
  const { file: id = "" } = visit.params;
  return findOwnFile(visit.database.read, { id, noun, personId: visit.visitor.person.id });
}

async function getFile(visit: Visit, noun: NounName): Promise<KeptFile> {
  const file = await fileOfPage(visit, noun);
  const faults = new Faults();
  if (file === undefined) faults.add("/file", "required", words.gone);
  faults.refuseIfAny();
  if (file === undefined) throw new Error("A missing file is refused.");
  return file;
}

interface Asked {
  readonly fields: URLSearchParams;
  readonly applies: boolean;
}

/** What is imported is read as it was checked. */
async function begin(visit: Visit, noun: NounName, { fields, applies }: Asked) {
  const file = await getFile(visit, noun);
  const { actor, name } = visit.caller;
  const terms = applies ? file.terms : termsOf(fields);
  visit.imports.requireRoom();
  const run = randomBytes(16).toHex();
  const begun = { file, run, before: fields.get("run") ?? "", terms, applies, actorName: name };
  await visit.database.write((tx) => beginRun(tx, begun), { actor });
  await visit.imports.start(file.id, actor);
  return {};
}

function termsOf(fields: URLSearchParams): KeptTerms {
  const currency = (fields.get("/currency") ?? "").trim().toUpperCase();
  const faults = new Faults();
  if (currency !== "" && !isCurrency(currency)) {
    faults.add("/currency", "invalid_choice", words.noCurrency);
  }
  faults.refuseIfAny();
  return {
    from: sources.find((source) => source === fields.get("/from")) ?? null,
    currency: currency === "" ? null : currency,
    hasDecimalComma: fields.getAll("/commas").at(-1) === "true",
    existing: fields.get("/existing") === "skip" ? "skip" : "update",
  };
}

async function reportOf(visit: Visit, noun: NounName): Promise<Download> {
  const { report } = await getFile(visit, noun);
  const rows = report?.faults ?? [];
  const lines = rows.map(({ row, column, value, code, detail }) =>
    csvRow([row, column, value, code, detail]),
  );
  return {
    name: `import_${noun}_faults.csv`,
    type: "text/csv; charset=utf-8",
    text: [TEXT_MARK, csvRow(words.columns), ...lines].join(""),
  };
}
