// A request as a caller is told of it. What was sent and answered is told only to one that has every scope of its
// sender: what an operation answers may depend on more scopes than the one that it needs.

import type { Caller } from "#platform/http/contract/caller.ts";
import { maskAddress, maskJson } from "#platform/log/mask-secrets.ts";

import { type LoggedRequest, textOf } from "./request-log.ts";

/** The part of a request that is shown. */
export interface RequestView extends Omit<LoggedRequest, "caller" | "sent" | "answered"> {
  /** Null for one without a valid key. */
  readonly key: { readonly id: string; readonly name: string } | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

/** The request without its bodies. */
export function listed(request: LoggedRequest, caller: Caller): RequestView {
  const { address, durationMs, caller: sender } = request;
  const isTold = address !== null && maySee(request, caller);
  return {
    ...request,
    durationMs: Math.round(durationMs),
    key: sender === null ? null : { id: sender.actor.id, name: sender.name },
    address: isTold ? maskAddress(address) : null,
    requestBody: null,
    responseBody: null,
  };
}

/** The request with its bodies, where they are kept. */
export function whole(request: LoggedRequest, caller: Caller): RequestView {
  const { sent, answered } = request;
  const view = listed(request, caller);
  if (!maySee(request, caller)) return view;
  return {
    ...view,
    requestBody: sent === null ? null : maskJson(textOf(sent)),
    responseBody: answered === null ? null : maskJson(answered),
  };
}

function maySee({ caller: sender }: LoggedRequest, { scopes }: Caller): boolean {
  return sender !== null && sender.scopes.isSubsetOf(scopes);
}
