// The requests that Stripe's API takes at all: with the account's key, of the version whose shapes the face has, and in
// the form encoding.

import type { Asked } from "#mocks/vendor-server.ts";

import { invalid, StripeRefusal, unauthorized } from "./errors.ts";

/** The version that the types of the official package describe. */
export const API_VERSION = "2026-10-28.endive";
const FORM = "application/x-www-form-urlencoded";

/** Refuses what the API does not take, before it looks at a parameter. */
export function admit({ method, headers, body }: Asked, secret: string): void {
  const given = headers.get("authorization");
  if (given === null) throw unauthorized("You did not provide an API key.");
  if (given !== `Bearer ${secret}`) throw unauthorized("Invalid API Key provided.");
  requireVersion(headers);
  const type = headers.get("content-type") ?? "";
  if (method === "POST" && body !== "" && !type.startsWith(FORM)) {
    throw invalid(`Invalid request (check that your POST content type is ${FORM}).`);
  }
}

/** Refuses the calls for which a restricted key has no right. */
export function admitRights({ method, path }: Asked, denied: readonly string[]): void {
  if (!denied.some((call) => `${method} ${path}`.startsWith(call))) return;
  const message = "The provided key does not have the required permissions for this endpoint.";
  throw new StripeRefusal(403, { type: "invalid_request_error", message });
}

/** Stripe itself takes the account's own version where none is named; what comes back is then left to the account. */
function requireVersion(headers: Headers): void {
  const version = headers.get("stripe-version");
  if (version === API_VERSION) return;
  throw invalid(`Invalid Stripe API version: ${version ?? "none was named"}`);
}
