// A form that was sent: asks the interface with its fields, and leads on or shows the page again with what is wrong.

import type { Answer } from "#platform/http/answer.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";
import type { RenewedSession } from "#shop/people/sessions/session.ts";

import { objectOf, readAnswer } from "../asker.ts";
import type {
  AskingForm,
  FileForm,
  Form,
  PreviewForm,
  SavedFile,
  Shown,
  StoryForm,
} from "../page.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { askOnce } from "./ask-once.ts";
import { attempt, refusedBy } from "./attempt.ts";
import { bodyOfForm, type FormBody } from "./form-body.ts";
import { membersOf } from "./members.ts";
import { AGAIN, refusedForm, type Sent, UNDO } from "./sent.ts";
import { beforeEdit, changedSince, sealedFor, undoOf } from "./undo.ts";

export interface SentForm {
  readonly name: string;
  readonly form: Form;
  readonly fields: URLSearchParams;
}

/** What follows a form. */
export type Outcome =
  | { readonly kind: "led"; readonly to: string; readonly renewed?: RenewedSession }
  | { readonly kind: "shown"; readonly shown: Shown }
  | { readonly kind: "saved"; readonly file: SavedFile }
  | { readonly kind: "refused"; readonly sent: Sent };

export function sendForm(visit: Visit, sent: SentForm): Promise<Outcome> {
  const { form, name, fields } = sent;
  if ("looksAgain" in form) return Promise.resolve(shownAgain(name, fields));
  if ("saves" in form) return saveWith(visit, { ...sent, form });
  if ("previews" in form) return previewWith(visit, { ...sent, form });
  return "asks" in form ? askWith(visit, { ...sent, form }) : tellWith(visit, { ...sent, form });
}

async function saveWith(
  visit: Visit,
  { name, form, fields }: SentForm & { readonly form: FileForm },
): Promise<Outcome> {
  const saved = await attempt({ name, fields }, () => form.saves(visit));
  if ("sent" in saved) return { kind: "refused", sent: saved.sent };
  return { kind: "saved", file: saved.value };
}

/** Nothing was refused: the page only looks again. */
function shownAgain(name: string, fields: URLSearchParams): Outcome {
  const nothing = { status: 200, problem: {}, fieldOf: String };
  return { kind: "refused", sent: refusedForm(name, fields, nothing) };
}

async function askWith(
  visit: Visit,
  { name, form, fields }: SentForm & { readonly form: AskingForm },
): Promise<Outcome> {
  if (fields.has(UNDO)) return takeBack(visit, { name, form, fields });
  const read = bodyOfForm(fields, visit.bodySchemaOf(form.asks));
  const before = await beforeEdit(visit, { name, form, version: fields.get("version") });
  const asked = await askedOf(visit, form, { fields, read }).catch((error: unknown) => ({
    answer: refusedBy(error).answer,
    body: {},
  }));
  const { answer } = asked;
  if (answer.status >= 400) {
    return refused(name, { answer, fields, fieldOf: placing(form, { fields, read }) });
  }
  if (form.shows !== undefined) {
    return { kind: "shown", shown: await form.shows(visit, readAnswer(answer)) };
  }
  const answered = membersOf(readAnswer(answer));
  const says = isAgain(answer, fields) ? "already" : form.says;
  const undo = before === null ? null : await undoOf(before, { answered, body: asked.body });
  return ledTo(visit, form, { answered, says, undo });
}

/** Not asked once: what would be may be another thing each time. */
async function previewWith(
  visit: Visit,
  { name, form: { of, previews, shows }, fields }: SentForm & { readonly form: PreviewForm },
): Promise<Outcome> {
  const read = bodyOfForm(fields, visit.bodySchemaOf(previews));
  const body = (await of.completes?.(read.body, visit)) ?? read.body;
  const version = fields.get("version");
  const expected = version === null ? {} : { ifVersion: version };
  const answer = await visit.send(previews, { params: visit.params, body, ...expected });
  if (answer.status >= 400) {
    return refused(name, { answer, fields, fieldOf: placing(of, { fields, read }) });
  }
  return { kind: "shown", shown: await shows(visit, { answer: readAnswer(answer), fields }) };
}

/** Where the form has what a pointer into the body is about. */
function placing(
  { pointsTo }: AskingForm,
  { fields, read }: { readonly fields: URLSearchParams; readonly read: FormBody },
): FormBody["fieldOf"] {
  return (pointer) => read.fieldOf(pointsTo?.(pointer, fields) ?? pointer);
}

/** A form of a version is the same change again; any other could have been meant twice. */
function isAgain({ headers }: Answer, fields: URLSearchParams): boolean {
  return headers["Idempotent-Replayed"] === "true" && !fields.has("version");
}

interface Asked {
  readonly answer: Answer;
  readonly body: JsonObject;
}

/** Throws what refuses the form before its route is asked. */
async function askedOf(
  visit: Visit,
  { asks, completes, finds }: AskingForm,
  { fields, read }: { readonly fields: URLSearchParams; readonly read: FormBody },
): Promise<Asked> {
  const body = (await completes?.(read.body, visit)) ?? read.body;
  const params = { ...visit.params, ...namedParams(fields), ...(await finds?.(visit, fields)) };
  const [version, once] = [fields.get("version"), fields.get("form")];
  return { answer: await askOnce(visit, asks, { params, body, version, once }), body };
}

/** Sends what the form replaced, as it was sealed then. */
async function takeBack(
  visit: Visit,
  { name, form, fields }: SentForm & { readonly form: AskingForm },
): Promise<Outcome> {
  const undo = sealedFor(visit, name, fields);
  if (undo === null) return notUndone(name, fields, { status: 409, detail: en.undo.lost });
  const { body, version } = undo;
  const change = { params: visit.params, body, version, once: fields.get("form") };
  const answer = await askOnce(visit, form.asks, change);
  if (answer.status === 412) {
    const detail = en.undo.stale(namesOf(await changedSince(visit, form, undo)));
    return notUndone(name, fields, { status: 412, detail });
  }
  if (answer.status >= 400) return refused(name, { answer, fields, fieldOf: String });
  return ledTo(visit, form, { answered: membersOf(readAnswer(answer)), says: "undone" });
}

/** The page as it is now, and why what it offered is not done. */
function notUndone(
  name: string,
  fields: URLSearchParams,
  { status, detail }: { readonly status: number; readonly detail: string },
): Outcome {
  const refusing = { status, problem: { detail }, fieldOf: String };
  return { kind: "refused", sent: refusedForm(name, fields, refusing) };
}

/** What people call the members, each once. */
function namesOf(members: readonly string[]): string {
  const known = Object.entries(en.undo.members).filter(([member]) => members.includes(member));
  return [...new Set(known.map(([, name]) => name))].join(", ");
}

/** Parameters of the route that are not in the page's address. */
function namedParams(fields: URLSearchParams): Record<string, string> {
  const named = [...fields].filter(([name]) => name.startsWith("@"));
  return Object.fromEntries(named.map(([name, value]) => [name.slice(1), value]));
}

async function tellWith(
  visit: Visit,
  { name, form, fields }: SentForm & { readonly form: StoryForm },
): Promise<Outcome> {
  const told = await attempt({ name, fields }, () => form.tells(visit, fields));
  if ("sent" in told) return { kind: "refused", sent: told.sent };
  const { shown, renewed } = told.value;
  if (shown !== undefined) return { kind: "shown", shown };
  const led = ledTo(visit, form, { answered: {}, says: form.says });
  return renewed === undefined ? led : { ...led, renewed };
}

interface Followed {
  readonly answered: JsonObject;
  readonly says: AskingForm["says"];
  /** What takes it back, sealed. */
  readonly undo?: string | null;
}

function ledTo(
  visit: Visit,
  form: Pick<AskingForm | StoryForm, "leadsTo">,
  { answered, says, undo = null }: Followed,
): Outcome & { readonly kind: "led" } {
  const path = form.leadsTo?.(answered, visit);
  const to = new URL(path === undefined ? visit.page : visit.href(path), visit.url);
  to.searchParams.set("done", says);
  if (undo !== null) to.searchParams.set(UNDO, undo);
  // A page that stays has its form at hand.
  if (says === "already" && to.pathname !== visit.page) to.searchParams.set(AGAIN, visit.page);
  return { kind: "led", to: `${to.pathname}${to.search}` };
}

function refused(
  name: string,
  {
    answer,
    fields,
    fieldOf,
  }: { readonly answer: Answer; readonly fields: URLSearchParams } & Pick<FormBody, "fieldOf">,
): Outcome {
  const { status, text } = answer;
  const refusing = { status, problem: objectOf(text), fieldOf };
  return { kind: "refused", sent: refusedForm(name, fields, refusing) };
}
