// Rules: where an endpoint may lead to. Invariant: what is kept is the URL as the parser writes it,
// judged like the one that was typed, so that no attempt meets another spelling.

import { Faults } from "#kernel/refusal.ts";
import type { Mode } from "#platform/database/shop.ts";
import { targetFaults, type TargetRules } from "#platform/net/target-url.ts";

import type { Endpoint } from "./webhook.ts";

/** The ports of HTTPS: the usual one, and the one that stands in for it without privileges. */
const PORTS = [443, 8443];
/** The receiver inside of the test shop, then the name of an inbox and perhaps a short query. */
const INBOX_PATH = "/hooks/test/inbox/";
const INBOX = /^[A-Za-z0-9_-]{1,64}(?:\?[^#]{0,1000})?$/;

/** What of an endpoint is its owner's to say. */
export type EndpointFields = Pick<Endpoint, "url" | "events" | "description">;

export interface EndpointChange {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
}

/** Whose endpoint it is, and where the world finds this server. */
export interface EndpointTerms {
  readonly mode: Mode;
  readonly publicUrl: string;
}

/**
 * The fields with what was given in their place, each event once. Refuses with `validation_failed`
 * and everything that speaks against the URL.
 */
export function validateEndpoint(
  before: EndpointFields,
  change: EndpointChange,
  terms: EndpointTerms,
): EndpointFields {
  return {
    url: change.url === undefined ? before.url : validatedUrl(change.url, terms),
    events: change.events === undefined ? before.events : [...new Set(change.events)],
    description: change.description === undefined ? before.description : change.description,
  };
}

function validatedUrl(text: string, terms: EndpointTerms): string {
  const href = URL.parse(text)?.href ?? text;
  if (isInbox(href, terms)) return href;
  const rules: TargetRules = {
    reach: terms.mode === "test" ? "public_or_loopback" : "public",
    ports: PORTS,
    ownHost: new URL(terms.publicUrl).hostname,
  };
  const found = [...targetFaults(text, rules), ...targetFaults(href, rules)];
  const faults = new Faults();
  for (const [code, detail] of new Map(found.map((one) => [one.code, one.detail]))) {
    faults.add("/url", code, detail);
  }
  faults.refuseIfAny();
  return href;
}

/** Our own receiver may be called wherever we are, but in test mode only. */
function isInbox(href: string, { mode, publicUrl }: EndpointTerms): boolean {
  const inboxes = publicUrl + INBOX_PATH;
  return mode === "test" && href.startsWith(inboxes) && INBOX.test(href.slice(inboxes.length));
}
