// The page of a file that was chosen: how far the work on it is, what it would do to the shop, or what it did.

import type { CustomForm, Download, DownloadForm, PageContent } from "#dashboard/kit/forms/form.ts";
import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { choice, input, select } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { beginRun } from "#imports/kept/begin-run.ts";
import { isAtWork, type KeptFile, REPORT_BYTES_MAX } from "#imports/kept/kept-file.ts";
import type { KeptReport, KeptTerms, NounName } from "#imports/kept/kept-report.ts";
import { findOwnFile } from "#imports/kept/lookups.ts";
import { unpacked } from "#imports/kept/packed.ts";
import { commas } from "#imports/product-files/written-number.ts";
import { encodingNamed } from "#imports/tables/encoding.ts";
import { sources } from "#imports/tables/read-file.ts";
import { isCurrency } from "#kernel/currency.ts";
import { randomBytes } from "#kernel/random.ts";
import { Faults } from "#kernel/refusal.ts";
import { realClock } from "#kernel/time.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { importRefusal } from "./import-page.ts";
import { countsPart, faultsPart, warningsPart } from "./report-parts.ts";

// The forms of a file that was chosen: it is checked anew in another way, imported, and its faults are saved.

const words = en.imports;

/** The forms of the page of one file. */
function importForms(noun: NounName) {
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
function fileOfPage(visit: Visit, noun: NounName): Promise<KeptFile | undefined> {
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

/** A file is imported as it was checked. */
async function begin(visit: Visit, noun: NounName, { fields, applies }: Asked) {
  const file = await getFile(visit, noun);
  const { actor, name } = visit.caller;
  const terms = applies
    ? { ...file.terms, isPartial: fields.get("partial") === "yes" }
    : termsOf(fields);
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
    encoding: encodingNamed(fields.get("/encoding") ?? ""),
    currency: currency === "" ? null : currency,
    comma: commas.find((comma) => comma === fields.get("/comma")) ?? null,
    existing: fields.get("/existing") === "skip" ? "skip" : "update",
    isPartial: false,
  };
}

async function reportOf(visit: Visit, noun: NounName): Promise<Download> {
  const { report } = await getFile(visit, noun);
  const rows = report?.refusedRows ?? null;
  return {
    name: `import_${noun}_faults.csv`,
    type: "text/csv; charset=utf-8",
    text: rows === null ? "" : new TextDecoder().decode(await unpacked(rows, REPORT_BYTES_MAX)),
  };
}

// How a file is read and taken, where a person says so.

/** Checks the file anew, which changes nothing. */
function optionsForm(
  visit: Visit,
  file: KeptFile,
  { isOpen, encodings }: { readonly isOpen: boolean; readonly encodings: KeptReport["encodings"] },
): Html {
  const submitted = visit.submitted?.name === "check" ? visit.submitted : null;
  const { noun, terms, run } = file;
  const options = [
    { value: "", label: words.fromColumns },
    ...sources.map((value) => ({ value, label: words.sources[value] })),
  ];
  const existing = submitted?.value("/existing") ?? terms.existing;
  return html`<details ${attribute("open", isOpen || submitted !== null)}>
    <summary>${words.options}</summary>
    <form class="stack" method="post" action="${visit.page}/check">
      <input type="hidden" name="run" value="${run}" />
      <fieldset class="choices" id="f-existing">
        <legend>${words.existing[noun]}</legend>
        ${choice({ name: "/existing", value: "update", chosen: existing, label: words.update, hint: words.updateHint })}
        ${choice({ name: "/existing", value: "skip", chosen: existing, label: words.skip })}
      </fieldset>
      ${encodingChoices(encodings, submitted?.value("/encoding") ?? terms.encoding ?? "")}
      ${select(submitted, { name: "/from", label: words.from, value: terms.from, options })}
      ${noun === "products" && productOptions(visit, submitted, terms)}
      <p class="acts"><button>${words.checkAgain}</button></p>
    </form>
  </details>`;
}

function productOptions(visit: Visit, submitted: SubmittedForm | null, terms: KeptTerms): Html[] {
  return [
    input(submitted, {
      name: "/currency",
      label: words.currency,
      value: terms.currency ?? visit.store.currency,
      hint: words.currencyHint,
    }),
    commaChoice(submitted?.value("/comma") ?? terms.comma ?? ""),
  ];
}

/** The encodings that the file may have, each with its lines as they would be read. */
function encodingChoices(encodings: KeptReport["encodings"], chosen: string): Html | null {
  if (encodings.length === 0) return null;
  return html`<fieldset class="choices" id="f-encoding">
    <legend>${words.encoding}</legend>
    ${choice({ name: "/encoding", value: "", chosen, label: words.encodingUnsaid })}
    ${encodings.map(({ encoding, lines }) =>
      choice({ name: "/encoding", value: encoding, chosen, label: encoding, lines }),
    )}
  </fieldset>`;
}

function commaChoice(chosen: string): Html {
  return html`<fieldset class="choices" id="f-comma">
    <legend>${words.comma}</legend>
    ${choice({ name: "/comma", value: "", chosen, label: words.commaUnsaid, hint: words.commaUnsaidHint })}
    ${choice({ name: "/comma", value: "decimal", chosen, label: words.commaDecimal })}
    ${choice({ name: "/comma", value: "thousands", chosen, label: words.commaThousands })}
  </fieldset>`;
}

export const productFilePage = filePage("products");
export const customerFilePage = filePage("customers");

function filePage(noun: NounName): Page {
  return {
    path: `/${noun}/import/{file}`,
    scopes: [`${noun}:write`],
    show: async (visit) => {
      const file = await fileOfPage(visit, noun);
      if (file === undefined) return { redirectTo: `/${noun}/import?gone=yes` };
      if (isAtWork(file, realClock.now())) return workingPage(visit, file);
      const { report } = file;
      return {
        title: words.title[noun],
        body: html`${headOf(visit, noun, words.title[noun])} ${importRefusal(visit.submitted)}
          <div class="narrow stack">
            ${report === null ? brokenPart(visit, file) : reportPart(visit, file, report)}
          </div>`,
      };
    },
    forms: importForms(noun),
  };
}

function headOf(visit: Visit, noun: NounName, title: string): Html {
  return heading({ title, back: [visit.href(`/${noun}`), en.nav[noun]] });
}

function workingPage(visit: Visit, { noun, applies, ...file }: KeptFile): PageContent {
  const { done, total, isImporting } = file;
  const title = applies ? words.importing[noun] : words.checking;
  const isRead = total > 0;
  const far = isImporting ? words.imported(done, total) : words.checked(done, total);
  return {
    title,
    isAtWork: true,
    body: html`${headOf(visit, noun, title)}
      <div class="narrow stack">
        <p role="status">${isRead ? far : words.reading}</p>
        <progress
          ${attribute("value", isRead ? String(done) : null)}
          max="${isRead ? total : 1}"
          aria-label="${title}"
        ></progress>
        <p class="soft">${words.goesOn}</p>
        <p class="acts"><a class="button" href="${visit.page}">${words.lookAgain}</a></p>
      </div>`,
  };
}

/** Nothing was heard of the run for long. */
function brokenPart(visit: Visit, file: KeptFile): Html {
  return html`<div class="note stop">
      <p>${words.broken} ${file.applies && words.brokenImport}</p>
    </div>
    ${optionsForm(visit, file, { isOpen: true, encodings: [] })}`;
}

function reportPart(visit: Visit, file: KeptFile, report: KeptReport): Html {
  const { noun } = file;
  const { encodings } = report;
  if (report.applied) return donePart(visit, file, report);
  if (report.unreadable !== null) {
    return html`<div class="note stop"><p>${report.unreadable}</p></div>
      ${anotherLink(visit, noun)} ${optionsForm(visit, file, { isOpen: true, encodings })}`;
  }
  return html`${countsPart(noun, report)} ${actPart(visit, file, report)} ${warningsPart(report)}
  ${faultsPart(visit, noun, report)} ${optionsForm(visit, file, { isOpen: false, encodings })}`;
}

/** The button that imports, where there is something to import; else why there is none. */
function actPart(visit: Visit, { noun, run }: KeptFile, report: KeptReport): Html | null {
  const { create, update, unchanged, skip } = report.outcomes;
  if (report.faultCount > 0) {
    if (create + update === 0) return null;
    return html`<form class="stack" method="post" action="${visit.page}/apply">
      <input type="hidden" name="run" value="${run}" />
      <input type="hidden" name="partial" value="yes" />
      <p class="acts"><button>${words.goPartial(create + update)}</button></p>
      <p class="soft">${words.goPartialWhat}</p>
    </form>`;
  }
  if (create + update === 0) {
    const says = unchanged + skip === 0 ? words.empty[noun] : words.nothing;
    return html`<div class="note done"><span>${says}</span></div>
      ${anotherLink(visit, noun)}`;
  }
  return html`<form method="post" action="${visit.page}/apply">
    <input type="hidden" name="run" value="${run}" />
    <p class="acts">
      <button class="go">${words.go[noun]}</button>
      <a class="button" href="${visit.href(`/${noun}/import`)}">${words.another}</a>
    </p>
  </form>`;
}

function anotherLink(visit: Visit, noun: NounName): Html {
  return html`<p class="acts">
    <a class="button" href="${visit.href(`/${noun}/import`)}">${words.another}</a>
  </p>`;
}

function donePart(
  visit: Visit,
  { noun, terms: { isPartial } }: KeptFile,
  report: KeptReport,
): Html {
  const isWhole = report.faultCount === 0;
  const says = isPartial ? words.donePartial(report.outcomes.refuse, noun) : words.doneInPart;
  return html`<div class="${isWhole || isPartial ? "note done" : "note stop"}" role="status">
      <span>${isWhole ? words.done[noun] : says}</span>
    </div>
    ${countsPart(noun, report)}
    <p class="acts">
      <a class="button go" href="${visit.href(`/${noun}`)}">${words.see[noun]}</a>
      <a class="button" href="${visit.href(`/${noun}/import`)}">${words.another}</a>
    </p>
    ${warningsPart(report)} ${faultsPart(visit, noun, report)}`;
}
