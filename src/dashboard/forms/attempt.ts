// What a story of people answers, or the form with what the story refused.

import { asRefusal, problem } from "#platform/http/answer.ts";

import { Refused } from "../asker.ts";
import { refusedForm, type Sent } from "./sent.ts";

/** The story's answer, or the refused form of this name. Throws what is no refusal. */
export async function attempt<Value>(
  { name, fields }: { readonly name: string; readonly fields: URLSearchParams },
  tell: () => Promise<Value>,
): Promise<{ readonly value: Value } | { readonly sent: Sent }> {
  try {
    return { value: await tell() };
  } catch (error) {
    const { status, problem: said } = refusedBy(error);
    return { sent: refusedForm(name, fields, { status, problem: said, fieldOf }) };
  }
}

/** Stories name the fields themselves. */
function fieldOf(pointer: string): string {
  return pointer;
}

/** What a story or the interface refused. Throws what is no refusal. */
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
