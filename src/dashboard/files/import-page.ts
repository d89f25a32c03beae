// The page on which a file of products or customers is chosen.

import type { FilesForm } from "#dashboard/kit/forms/form.ts";
import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { saveFile } from "#imports/kept/begin-run.ts";
import { FILE_BOUNDS, FILE_BYTES_MAX } from "#imports/kept/kept-file.ts";
import type { NounName } from "#imports/kept/kept-report.ts";
import { packed } from "#imports/kept/packed.ts";
import { randomBytes } from "#kernel/random.ts";
import { Faults } from "#kernel/refusal.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { ReceivedFile } from "#platform/http/intake/uploads.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

const words = en.imports;
const MEBIBYTE = 1_048_576;
const MEGABYTES = FILE_BYTES_MAX / MEBIBYTE;

export const importProductsPage = importPage("products");
export const importCustomersPage = importPage("customers");

/** A button that leads there; null for a person who may not write these. */
export function importLink(visit: Visit, noun: NounName): Html | null {
  if (!visit.may(`${noun}:write`)) return null;
  return html`<a class="button" href="${visit.href(`/${noun}/import`)}">${words.title[noun]}</a>`;
}

function importPage(noun: NounName): Page {
  return {
    path: `/${noun}/import`,
    scopes: [`${noun}:write`],
    show: (visit) =>
      Promise.resolve({
        title: words.title[noun],
        body: html`${heading({ title: words.title[noun], back: [visit.href(`/${noun}`), en.nav[noun]] })}
          ${importRefusal(visit.submitted)}
          ${
            visit.query("gone") !== "" &&
            visit.submitted === null &&
            html`<div class="note" role="status"><span>${words.gone}</span></div>`
          }
          <p class="soft">${words.what[noun]}</p>
          ${fileForm(visit)}
          <p><a href="/guides/importing">${words.guide}</a></p>`,
      }),
    forms: { file: fileOf(noun) },
  };
}

function fileForm(visit: Visit): Html {
  return html`<form
    class="stack narrow"
    method="post"
    enctype="multipart/form-data"
    action="${visit.page}/file"
  >
    <div class="field">
      <label for="f-file">${words.file}</label>
      <input
        id="f-file"
        name="file"
        type="file"
        accept=".csv,.txt,text/csv,text/plain,text/tab-separated-values"
        required
        aria-describedby="f-file-hint"
      />
      <p class="hint" id="f-file-hint">${words.fileHint(MEGABYTES, FILE_BOUNDS.rows)}</p>
    </div>
    <p class="acts"><button class="go">${words.check}</button></p>
    <p class="soft">${words.checkWhat}</p>
  </form>`;
}

/** Keeps the file and checks it. The next page has the report, or how far the check is. */
function fileOf(noun: NounName): FilesForm {
  return {
    takeFiles: (visit, files) => takeFile(visit, noun, files),
    doneMessage: null,
    redirectTo: ({ id }) => `/${noun}/import/${typeof id === "string" ? id : ""}`,
  };
}

async function takeFile(
  visit: Visit,
  noun: NounName,
  [file]: readonly ReceivedFile[],
): Promise<JsonObject> {
  const { actor } = visit.caller;
  const faults = new Faults();
  if (file === undefined) faults.add("/file", "required", words.noFile);
  else if (file.bytes > FILE_BYTES_MAX) {
    faults.add("/file", "too_large", words.tooLarge(MEGABYTES));
  }
  faults.refuseIfAny();
  visit.imports.requireRoom();
  const content = await packed(await Bun.file(file?.path ?? "").bytes());
  const [id, run] = [randomBytes(16).toHex(), randomBytes(16).toHex()];
  await visit.database.write(
    (tx) => saveFile(tx, { id, run, noun, personId: visit.visitor.person.id, content }),
    { actor },
  );
  await visit.imports.start(id, actor);
  return { id };
}

// Why a file was not taken, or not worked on.

/** The fault of the file itself as a sentence, anything else as every page says it; null if nothing is. */
export function importRefusal(submitted: SubmittedForm | null): Html | null {
  const fault = submitted?.faultOf("/file");
  if (fault === undefined) return refusedNote(submitted);
  return html`<div class="note stop" role="alert" tabindex="-1" ${attribute("autofocus", true)}>
    <p>${fault}</p>
  </div>`;
}
