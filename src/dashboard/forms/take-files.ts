// A form that brings files: they are received once it is known who sends them, and deleted when it was handled.

import { receiveFiles } from "#platform/http/intake/multipart.ts";
import type { Uploads } from "#platform/http/intake/uploads.ts";

import type { Visit } from "../visit.ts";
import { catchRefusal } from "./catch-refusal.ts";
import type { FilesForm } from "./form.ts";
import { UnreadForm } from "./read-fields.ts";
import { type Outcome, redirectAfter } from "./submit-form.ts";

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
