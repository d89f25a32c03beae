// The page of a file that was chosen: how far the work on it is, what it would do to the shop, or what it did.

import { isAtWork, type KeptFile } from "#imports/kept/kept-file.ts";
import type { KeptReport, NounName } from "#imports/kept/kept-report.ts";
import { realClock } from "#kernel/time.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import type { PageContent } from "../page-content.ts";
import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { fileOfPage, importForms } from "./import-forms.ts";
import { importRefusal } from "./import-refusal.ts";
import { optionsForm } from "./options-form.ts";
import { countsPart, faultsPart, warningsPart } from "./report-parts.ts";

const words = en.imports;

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
    ${optionsForm(visit, file, true)}`;
}

function reportPart(visit: Visit, file: KeptFile, report: KeptReport): Html {
  const { noun } = file;
  if (report.applied) return donePart(visit, noun, report);
  if (report.unreadable !== null) {
    return html`<div class="note stop"><p>${report.unreadable}</p></div>
      ${anotherLink(visit, noun)} ${optionsForm(visit, file, true)}`;
  }
  return html`${countsPart(noun, report)} ${actPart(visit, file, report)} ${warningsPart(report)}
  ${faultsPart(visit, noun, report)} ${optionsForm(visit, file, false)}`;
}

/** The button that imports, where there is something to import; else why there is none. */
function actPart(visit: Visit, { noun, run }: KeptFile, report: KeptReport): Html | null {
  const { create, update, unchanged, skip } = report.outcomes;
  if (report.faultCount > 0) return null;
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

function donePart(visit: Visit, noun: NounName, report: KeptReport): Html {
  const isWhole = report.faultCount === 0;
  return html`<div class="${isWhole ? "note done" : "note stop"}" role="status">
      <span>${isWhole ? words.done[noun] : words.doneInPart}</span>
    </div>
    ${countsPart(noun, report)}
    <p class="acts">
      <a class="button go" href="${visit.href(`/${noun}`)}">${words.see[noun]}</a>
      <a class="button" href="${visit.href(`/${noun}/import`)}">${words.another}</a>
    </p>
    ${warningsPart(report)} ${faultsPart(visit, noun, report)}`;
}
