// Answers what a story does, or the form with what the story refused.

import { Refused } from "#dashboard/kit/asker.ts";
import { asRefusal, problem } from "#platform/http/contract/answer.ts";

import { type SubmittedForm, submittedForm } from "./submitted-form.ts";

/** The story's answer, or the refused form of this name. Throws what is no refusal. */
export async function catchRefusal<Value>(
  { name, fields }: { readonly name: string; readonly fields: URLSearchParams },
  story: () => Promise<Value>,
): Promise<{ readonly value: Value } | { readonly submitted: SubmittedForm }> {
  try {
    return { value: await story() };
  } catch (error) {
    const { status, problem: document } = refusedBy(error);
    return { submitted: submittedForm(name, fields, { status, problem: document, fieldOf }) };
  }
}

/** A story of people names the fields themselves. */
function fieldOf(pointer: string): string {
  return pointer;
}

/** Returns what a story or the interface refused. Throws what is no refusal. */
export function refusedBy(error: unknown): Refused {
  const refused = asRefused(error);
  if (refused === null) throw error;
  return refused;
}

/** The same; null for what is no refusal. */
export function asRefused(error: unknown): Refused | null {
  if (error instanceof Refused) return error;
  const refusal = asRefusal(error);
  if (refusal !== error) return null;
  return new Refused(problem(refusal, { requestId: "", isPublic: false, errorsUrl: "" }));
}
