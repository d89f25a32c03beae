// Refusals as the page of codes explains them.

import type { RefusalDefinition } from "#kernel/refusal.ts";
import { statusOfKind } from "#platform/http/answer.ts";

import type { ExplainedRefusal } from "./errors-page.ts";

/** Each refusal with the status its kind has. */
export function explained(refusals: readonly RefusalDefinition[]): ExplainedRefusal[] {
  return refusals.map(({ code, kind, title }) => ({ code, status: statusOfKind[kind], title }));
}
