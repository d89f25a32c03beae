// Reads a form that was sent, and submits it: sends its fields to the interface, or to the function that handles them.
// The browser is then redirected to the next page, or shown this one again with what was typed and what is wrong with
// it. A body that was not read is no empty form: its page says why.

import { objectOf, readAnswer } from "#dashboard/kit/asker.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { type Done, en } from "#dashboard/words/en.ts";
import { receiveForm } from "#platform/html/read-form.ts";
import type { Answer } from "#platform/http/contract/answer.ts";
import type { Bodies, BodyFault } from "#platform/http/intake/bodies.ts";
import { receiveFiles } from "#platform/http/intake/receive-file.ts";
import type { Uploads } from "#platform/http/intake/uploads.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";
import type { RenewedSession } from "#shop/people/sessions/session.ts";

import { bodyOfForm, type FormBody } from "./form-body.ts";
import type {
  CustomForm,
  Download,
  DownloadForm,
  FilesForm,
  Form,
  PageContent,
  PreviewForm,
  RequestForm,
} from "./form.ts";
import { sendOnce } from "./send-once.ts";
import {
  AGAIN,
  askedForm,
  catchRefusal,
  membersOf,
  NONCE,
  refusedBy,
  type SubmittedForm,
  submittedForm,
  UNDO,
} from "./submitted-form.ts";
import { beforeEdit, changedSince, sealedFor, undoOf } from "./undo.ts";

interface Submission<F extends Form = Form> {
  /** The form's name on its page. */
  readonly name: string;
  readonly form: F;
  readonly fields: URLSearchParams;
}

/** The result that the browser gets. */
export type Outcome =
  | { readonly kind: "redirect"; readonly to: string; readonly renewed?: RenewedSession }
  | { readonly kind: "page"; readonly page: PageContent }
  | { readonly kind: "download"; readonly file: Download }
  | { readonly kind: "redisplay"; readonly submitted: SubmittedForm };

/** Does what the form declares. Throws what is no refusal. */
export function submitForm(
  visit: Visit,
  { form, ...submission }: Submission<Exclude<Form, FilesForm>>,
): Promise<Outcome> {
  if ("redisplays" in form) return Promise.resolve(redisplay(submission));
  if ("download" in form) return submitDownload(visit, { ...submission, form });
  if ("previewRoute" in form) return submitPreview(visit, { ...submission, form });
  return "route" in form
    ? submitRequest(visit, { ...submission, form })
    : submitCustom(visit, { ...submission, form });
}

/** Nothing was refused. */
function redisplay({ name, fields }: Omit<Submission, "form">): Outcome {
  const nothing = { status: 200, problem: {}, fieldOf: String };
  return { kind: "redisplay", submitted: submittedForm(name, fields, nothing) };
}

async function submitDownload(
  visit: Visit,
  { name, form, fields }: Submission<DownloadForm>,
): Promise<Outcome> {
  const made = await catchRefusal({ name, fields }, () => form.download(visit));
  if ("submitted" in made) return { kind: "redisplay", submitted: made.submitted };
  return { kind: "download", file: made.value };
}

async function submitRequest(visit: Visit, submission: Submission<RequestForm>): Promise<Outcome> {
  const { name, form, fields } = submission;
  if (fields.has(UNDO)) return submitUndo(visit, submission);
  const read = bodyOfForm(fields, visit.bodySchemaOf(form.route), visit.writing());
  const asked = askedForm({ name, fields }, form.asks?.(fields, read.body), read.questions);
  if (asked !== null) return { kind: "redisplay", submitted: asked };
  const before = await beforeEdit(visit, { name, form, version: fields.get("version") });
  const request = await sendRequest(visit, form, { fields, read }).catch((error: unknown) => ({
    answer: refusedBy(error).answer,
    body: {},
  }));
  const { answer } = request;
  if (answer.status >= 400) {
    return refused(name, { answer, fields, ...fieldFinder(form, { fields, read }) });
  }
  if (form.showAnswer !== undefined) {
    return { kind: "page", page: await form.showAnswer(visit, readAnswer(answer)) };
  }
  const answered = membersOf(readAnswer(answer));
  const doneMessage = isRepeated(answer, fields) ? "already" : doneOf(form, answered);
  const undo = before === null ? null : await undoOf(before, { answered, body: request.body });
  return redirectAfter(visit, form, { answered, doneMessage, undo });
}

/** Sent anew each time: what would be may be another thing by then. */
async function submitPreview(
  visit: Visit,
  { name, form: { form, previewRoute, showPreview }, fields }: Submission<PreviewForm>,
): Promise<Outcome> {
  const read = bodyOfForm(fields, visit.bodySchemaOf(previewRoute), visit.writing());
  const body = (await form.prepareBody?.(read.body, visit)) ?? read.body;
  const version = fields.get("version");
  const expected = version === null ? {} : { ifVersion: version };
  const answer = await visit.send(previewRoute, { params: visit.params, body, ...expected });
  if (answer.status >= 400) {
    return refused(name, { answer, fields, ...fieldFinder(form, { fields, read }) });
  }
  return { kind: "page", page: await showPreview(visit, { answer: readAnswer(answer), fields }) };
}

interface ReadForm {
  readonly fields: URLSearchParams;
  readonly read: FormBody;
}

/** Finds the field that a pointer into the prepared body is about, and what is asked there. */
function fieldFinder(
  { fieldOf }: RequestForm,
  { fields, read }: ReadForm,
): Pick<FormBody, "fieldOf" | "questions"> {
  return {
    fieldOf: (pointer) => read.fieldOf(fieldOf?.(pointer, fields) ?? pointer),
    questions: read.questions,
  };
}

function doneOf({ doneMessage }: RequestForm, answered: JsonObject): Done {
  return typeof doneMessage === "function" ? doneMessage(answered) : doneMessage;
}

/**
 * Returns true if it was done before: of a version it is the same change again, any other could have been meant twice.
 */
function isRepeated({ headers }: Answer, fields: URLSearchParams): boolean {
  return headers["Idempotent-Replayed"] === "true" && !fields.has("version");
}

interface SentRequest {
  readonly answer: Answer;
  readonly body: JsonObject;
}

/** Throws what refuses the form before its request is sent. */
async function sendRequest(
  visit: Visit,
  { route, prepareBody, findParams }: RequestForm,
  { fields, read }: ReadForm,
): Promise<SentRequest> {
  const body = (await prepareBody?.(read.body, visit)) ?? read.body;
  const found = await findParams?.(visit, fields);
  const params = { ...visit.params, ...hiddenParams(fields), ...found };
  const [version, nonce] = [fields.get("version"), fields.get(NONCE)];
  return { answer: await sendOnce(visit, route, { params, body, version, nonce }), body };
}

/** Parameters of the route that are not in the page's address. */
function hiddenParams(fields: URLSearchParams): Record<string, string> {
  const named = [...fields].filter(([name]) => name.startsWith("@"));
  return Object.fromEntries(named.map(([name, value]) => [name.slice(1), value]));
}

/** Sends what the form replaced, as it was sealed then. */
async function submitUndo(
  visit: Visit,
  { name, form, fields }: Submission<RequestForm>,
): Promise<Outcome> {
  const undo = sealedFor(visit, name, fields);
  if (undo === null) return notUndone(name, fields, { status: 409, detail: en.undo.lost });
  const { body, version } = undo;
  const change = { params: visit.params, body, version, nonce: fields.get(NONCE) };
  const answer = await sendOnce(visit, form.route, change);
  if (answer.status === 412) {
    const detail = en.undo.stale(namesOf(await changedSince(visit, form, undo)));
    return notUndone(name, fields, { status: 412, detail });
  }
  if (answer.status >= 400) return refused(name, { answer, fields, fieldOf: String });
  const answered = membersOf(readAnswer(answer));
  return redirectAfter(visit, form, { answered, doneMessage: "undone" });
}

/** The page as it is now, and why what it offered is not done. */
function notUndone(
  name: string,
  fields: URLSearchParams,
  { status, detail }: { readonly status: number; readonly detail: string },
): Outcome {
  const refusal = { status, problem: { detail }, fieldOf: String };
  return { kind: "redisplay", submitted: submittedForm(name, fields, refusal) };
}

/** People's names of the members, each once. */
function namesOf(members: readonly string[]): string {
  const known = Object.entries(en.undo.members).filter(([member]) => members.includes(member));
  return [...new Set(known.map(([, name]) => name))].join(", ");
}

async function submitCustom(
  visit: Visit,
  { name, form, fields }: Submission<CustomForm>,
): Promise<Outcome> {
  const handled = await catchRefusal({ name, fields }, () => form.handle(visit, fields));
  if ("submitted" in handled) return { kind: "redisplay", submitted: handled.submitted };
  const { page, renewed, nextPath } = handled.value;
  if (page !== undefined) return { kind: "page", page };
  const to = nextPath === undefined ? form : { redirectTo: () => nextPath };
  const next = redirectAfter(visit, to, { answered: {}, doneMessage: form.doneMessage });
  return renewed === undefined ? next : { ...next, renewed };
}

interface Success {
  readonly answered: JsonObject;
  readonly doneMessage: Done | null;
  /** The body that undoes it, sealed. */
  readonly undo?: string | null;
}

/** The next page, which says what was done. */
function redirectAfter(
  visit: Visit,
  { redirectTo }: Pick<RequestForm | CustomForm | FilesForm, "redirectTo">,
  { answered, doneMessage, undo = null }: Success,
): Outcome & { readonly kind: "redirect" } {
  const path = redirectTo?.(answered, visit);
  const to = new URL(path === undefined ? visit.page : visit.href(path), visit.url);
  if (doneMessage !== null) to.searchParams.set("done", doneMessage);
  if (undo !== null) to.searchParams.set(UNDO, undo);
  // A page that stays has its form at hand.
  if (doneMessage === "already" && to.pathname !== visit.page) {
    to.searchParams.set(AGAIN, visit.page);
  }
  return { kind: "redirect", to: `${to.pathname}${to.search}` };
}

function refused(
  name: string,
  {
    answer,
    fields,
    ...places
  }: { readonly answer: Answer; readonly fields: URLSearchParams } & Pick<FormBody, "fieldOf"> &
    Partial<Pick<FormBody, "questions">>,
): Outcome {
  const { status, text } = answer;
  const refusal = { status, problem: objectOf(text), ...places };
  return { kind: "redisplay", submitted: submittedForm(name, fields, refusal) };
}

/** More than any form of the dashboard has. */
const FORM_BYTES_MAX = 65_536;

/** A form that is too large or too late, or that the server has no room for. */
export class UnreadForm extends Error {
  readonly fault: BodyFault;

  constructor(fault: BodyFault) {
    super(fault);
    this.name = "UnreadForm";
    this.fault = fault;
  }
}

/** The fields of the form. Throws `UnreadForm`. */
export async function readFields(request: Request, bodies: Bodies): Promise<URLSearchParams> {
  const fields = await receiveForm(request, bodies, FORM_BYTES_MAX);
  if (typeof fields === "string") throw new UnreadForm(fields);
  return fields;
}

interface Sent {
  readonly name: string;
  readonly form: FilesForm;
  readonly uploads: Uploads;
}

/**
 * Hands the files of a form to its page: they are received once it is known who sends them, and deleted afterwards. Throws
 * `UnreadForm`, and what is no refusal.
 */
export async function takeFiles(
  visit: Visit,
  request: Request,
  { name, form, uploads }: Sent,
): Promise<Outcome> {
  await using until = new AsyncDisposableStack();
  const files = await receiveFiles(request, uploads, until);
  if (typeof files === "string") throw new UnreadForm(files);
  const fields = new URLSearchParams();
  const taken = await catchRefusal({ name, fields }, () => form.takeFiles(visit, files));
  if ("submitted" in taken) return { kind: "redisplay", submitted: taken.submitted };
  return redirectAfter(visit, form, { answered: taken.value, doneMessage: form.doneMessage });
}
