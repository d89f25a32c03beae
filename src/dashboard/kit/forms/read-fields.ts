// Reads a form that was sent to the dashboard. A body that was not read is no empty form: its page says why.

import type { Visit } from "#dashboard/kit/visit.ts";
import { receiveForm } from "#platform/html/read-form.ts";
import type { Bodies, BodyFault } from "#platform/http/intake/bodies.ts";
import { receiveFiles } from "#platform/http/intake/multipart.ts";
import type { Uploads } from "#platform/http/intake/uploads.ts";

import { catchRefusal } from "./catch-refusal.ts";
import type { FilesForm } from "./form.ts";
import { type Outcome, redirectAfter } from "./submit-form.ts";

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

// A form that brings files: they are received once it is known who sends them, and deleted when it was handled.

interface Sent {
  readonly name: string;
  readonly form: FilesForm;
  readonly uploads: Uploads;
}

/** Throws `UnreadForm`, and what is no refusal. */
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
