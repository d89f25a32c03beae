// A form that was sent: asks the interface with its fields, and leads on or shows the page again with what is wrong.

import { assume, isObject } from "#kernel/assume.ts";
import type { Answer } from "#platform/http/answer.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";
import type { RenewedSession } from "#shop/people/sessions/session.ts";

import { objectOf, readAnswer, Refused } from "../asker.ts";
import type { AskingForm, Form, Shown, StoryForm } from "../page.ts";
import type { Visit } from "../visit.ts";
import { askOnce } from "./ask-once.ts";
import { attempt } from "./attempt.ts";
import { bodyOfForm, type FormBody } from "./form-body.ts";
import { refusedForm, type Sent } from "./sent.ts";

export interface SentForm {
  readonly name: string;
  readonly form: Form;
  readonly fields: URLSearchParams;
}

/** What follows a form. */
export type Outcome =
  | { readonly kind: "led"; readonly to: string; readonly renewed?: RenewedSession }
  | { readonly kind: "shown"; readonly shown: Shown }
  | { readonly kind: "refused"; readonly sent: Sent };

export function sendForm(visit: Visit, sent: SentForm): Promise<Outcome> {
  const { form, name, fields } = sent;
  if ("looksAgain" in form) return Promise.resolve(shownAgain(name, fields));
  return "asks" in form ? askWith(visit, { ...sent, form }) : tellWith(visit, { ...sent, form });
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
  const read = bodyOfForm(fields, visit.bodySchemaOf(form.asks));
  const answer = await answerOf(visit, form, { fields, read }).catch((error: unknown) => {
    if (error instanceof Refused) return error.answer;
    throw error;
  });
  if (answer.status >= 400) {
    const placeOf = (pointer: string) => form.pointsTo?.(pointer, fields) ?? pointer;
    const fieldOf = (pointer: string) => read.fieldOf(placeOf(pointer));
    return refused(name, { answer, fields, fieldOf });
  }
  const value = readAnswer(answer);
  if (form.shows !== undefined) return { kind: "shown", shown: await form.shows(visit, value) };
  // A form of a version is the same change again; any other could have been meant twice.
  const isAgain = answer.headers["Idempotent-Replayed"] === "true" && !fields.has("version");
  const answered = isObject(value) ? assume<JsonObject>(value) : {};
  return ledTo(visit, form, { answered, says: isAgain ? "already" : form.says });
}

/** Throws `Refused` for what the form asks before. */
async function answerOf(
  visit: Visit,
  { asks, completes, finds }: AskingForm,
  { fields, read }: { readonly fields: URLSearchParams; readonly read: FormBody },
): Promise<Answer> {
  const body = (await completes?.(read.body, visit)) ?? read.body;
  const params = { ...visit.params, ...namedParams(fields), ...(await finds?.(visit, fields)) };
  const [version, once] = [fields.get("version"), fields.get("form")];
  return askOnce(visit, asks, { params, body, version, once });
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

function ledTo(
  visit: Visit,
  form: Pick<AskingForm | StoryForm, "leadsTo">,
  { answered, says }: { readonly answered: JsonObject; readonly says: AskingForm["says"] },
): Outcome & { readonly kind: "led" } {
  const path = form.leadsTo?.(answered, visit);
  const to = new URL(path === undefined ? visit.page : visit.href(path), visit.url);
  to.searchParams.set("done", says);
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
