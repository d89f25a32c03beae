// Reads a form that was sent to the dashboard. A body that was not read is no empty form: its page says why.

import { receiveForm } from "#platform/html/read-form.ts";
import type { Bodies, BodyFault } from "#platform/http/intake/bodies.ts";

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
