// The act of a request, as the audit log is told of it.

import type { Tx } from "#platform/database/database.ts";
import type { Act } from "#platform/event-log/act.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";

import { differenceOf, idInPath, idOfAnswer, shownOf } from "./audit-terms.ts";

/** A request to an audited route. */
export interface AuditedRequest {
  readonly route: AnyRoute;
  readonly input: {
    readonly params: Readonly<Record<string, string>>;
    readonly caller: Caller;
    readonly body: unknown;
    readonly clientNetwork: () => string | null;
  };
  readonly problemTerms: { readonly requestId: string };
}

interface Outcome {
  /** The answer of the handler; a workflow has answered nothing yet when it writes. */
  readonly answered?: unknown;
  /** The record before, if the route compares it. */
  readonly before?: object | undefined;
}

/** The act, after the change and in its transaction. */
export async function requestAct(
  tx: Tx,
  { route, input, problemTerms }: AuditedRequest,
  { answered, before }: Outcome = {},
): Promise<Act> {
  const { params, caller, body } = input;
  const shown = answered === undefined ? {} : route.present(answered);
  const { subject, keeps } = route.audit ?? {};
  return {
    actorName: caller.name,
    action: route.operationId,
    subject:
      subject === undefined ? subjectOf(route, params, shown) : await subject(tx, params, body),
    difference: before === undefined ? null : differenceOf(shownOf(before), shownOf(shown), keeps),
    requestId: problemTerms.requestId,
    clientNetwork: input.clientNetwork(),
  };
}

/** The subject: what was created; else the record that the path names; else what was answered. */
function subjectOf(
  { status, kind }: AnyRoute,
  params: AuditedRequest["input"]["params"],
  shown: unknown,
): string | null {
  const [inPath, inAnswer] = [idInPath(params), idOfAnswer(shown)];
  return status === 201 && kind === "write" ? (inAnswer ?? inPath) : (inPath ?? inAnswer);
}
