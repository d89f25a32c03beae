// Rules: which URLs an endpoint may have. Invariant: the saved URL is the parser's normal form, and
// both the given text and the normal form are validated, so an attempt never uses an unchecked URL.

import { Faults } from "#kernel/refusal.ts";
import type { Mode } from "#platform/database/shop.ts";
import {
  type Reach,
  reachOf,
  securePorts,
  targetFaults,
  type TargetRules,
} from "#platform/net/target-url.ts";

import type { Endpoint } from "./webhook.ts";

/** The test shop's own receiver, followed by the name of an inbox and an optional short query. */
const INBOX_PATH = "/hooks/test/inbox/";
const INBOX = /^[A-Za-z0-9_-]{1,64}(?:\?[^#]{0,1000})?$/;

/** The fields of an endpoint that a request can set. */
export type EndpointFields = Pick<Endpoint, "url" | "events" | "description">;

export interface EndpointChange {
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly description?: string | null | undefined;
}

/** The mode of the endpoint, and what the server knows of itself. */
export interface EndpointTerms {
  readonly mode: Mode;
  readonly publicUrl: string;
  /** The addresses at which endpoints of test mode may be. */
  readonly testReach: Reach;
}

/** The fields after the change, with duplicate events removed. Refuses with `validation_failed`. */
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
    reach: reachOf(terms),
    ports: securePorts,
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

/** The test shop's own receiver is valid on any host and port, but only in test mode. */
function isInbox(href: string, { mode, publicUrl }: EndpointTerms): boolean {
  const inboxes = publicUrl + INBOX_PATH;
  return mode === "test" && href.startsWith(inboxes) && INBOX.test(href.slice(inboxes.length));
}
