// The URL of an adapter: who may name which. Invariant: an adapter on this machine or in a private network is named by the
// operator alone, so that an owner's browser scans no network.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Mode } from "#platform/database/shop.ts";
import {
  onlyPublic,
  plainHost,
  type Reach,
  reachOf,
  securePorts,
  targetFaults,
  type TargetRules,
} from "#platform/net/target-url.ts";

import type { CustomGatewayRow } from "./tables.ts";

/** The shop of a gateway. */
export interface Place {
  readonly mode: Mode;
  /** The addresses that test mode may call. */
  readonly testReach: Reach;
}

/** Who names a URL: the operator any host, since a program beside the shop needs no certificate; others a public one. */
export type NamedBy = "operator" | (Pick<Place, "testReach"> & { readonly publicUrl: string });

type NamedUrl = Pick<CustomGatewayRow, "url" | "byOperator">;

/** The addresses at which the adapter may be called. */
export function reachOfUrl({ url, byOperator }: NamedUrl, place: Place): Reach {
  return byOperator ? { ...onlyPublic, hosts: [hostOf(url)] } : reachOf(place);
}

function hostOf(url: string): string {
  return plainHost(new URL(url).hostname);
}

interface Naming extends Pick<NamedUrl, "url"> {
  readonly mode: Mode;
  readonly by: NamedBy;
}

/**
 * The URL in its normal form, without a final slash. What the operator named stays theirs when it is sent once more.
 * Refuses with `validation_failed`, which has every fault of it.
 */
export function urlAfter(before: NamedUrl, { url: given, mode, by }: Naming): NamedUrl {
  if (by === "operator") return { url: readUrl(given, operatorRules(given)), byOperator: true };
  if (before.byOperator && withoutSlash(given) === before.url) return before;
  const reach = reachOf({ mode, testReach: by.testReach });
  const rules = { reach, ports: securePorts, ownHost: new URL(by.publicUrl).hostname };
  return { url: readUrl(given, rules), byOperator: false };
}

function operatorRules(text: string): TargetRules {
  const hosts = URL.canParse(text) ? [hostOf(text)] : [];
  return { reach: { ...onlyPublic, hosts }, ports: [], ownHost: null };
}

function readUrl(text: string, rules: TargetRules): string {
  const href = URL.parse(text)?.href ?? text;
  const found = [...targetFaults(text, rules), ...targetFaults(href, rules)];
  const faults = new Faults();
  for (const [code, detail] of new Map(found.map((one) => [one.code, one.detail]))) {
    faults.add("/url", code, detail);
  }
  // The name of a call is put behind the URL.
  if (text.includes("?")) {
    faults.add("/url", "url_has_query", "The URL must not contain a query.");
  }
  faults.refuseIfAny();
  return withoutSlash(href);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

const adapterFaults = defineFaults({
  url_has_query: "The URL contains a query.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof adapterFaults> {}
}
