// Checks a URL that a merchant entered, before anything is sent to it, and resolves its host. Invariants: checks use
// the parts that the URL parser found, so an unusual spelling of a host cannot evade them; addresses are never cached,
// because checks must see the current ones.

import { lookup } from "node:dns/promises";
import { isIPv6 } from "node:net";

import { defineFaults, type FaultCode, type Meanings } from "#kernel/fault.ts";

import { type AddressRanges, isAddress, isLoopback, isWithin } from "./addresses.ts";
import { openDeadline, untilAborted } from "./deadline.ts";
import { isPublicAddress } from "./public-address.ts";

/** The addresses that may be called beside the public internet. */
export interface Reach {
  /** True if this machine may be, over plain HTTP too. */
  readonly loopback: boolean;
  /** Names of hosts as the operator set them: whatever address they have, over plain HTTP too. */
  readonly hosts: readonly string[];
  /** Addresses that may be private, likewise. */
  readonly ranges: AddressRanges;
}

export const onlyPublic: Reach = { loopback: false, hosts: [], ranges: [] };
export const alsoLoopback: Reach = { ...onlyPublic, loopback: true };

/** The reach of a shop's webhooks: those of live mode to the public internet alone. */
export function reachOf({
  mode,
  testReach,
}: {
  readonly mode: "test" | "live";
  readonly testReach: Reach;
}): Reach {
  return mode === "test" ? testReach : onlyPublic;
}

/** Returns true if the operator named the host, or the range of its address. */
function isNamed(host: string, { hosts, ranges }: Reach): boolean {
  return hosts.includes(host) || isWithin(host, ranges);
}

/** The standard HTTPS port, and the common alternative for unprivileged servers. */
export const securePorts: readonly number[] = [443, 8443];

export interface TargetRules {
  readonly reach: Reach;
  /** The allowed ports for public hosts, usually 443 only. */
  readonly ports: readonly number[];
  /** The host of the server's public URL, which is refused; null if unknown. */
  readonly ownHost: string | null;
}

interface TargetFault {
  readonly code: FaultCode;
  readonly detail: string;
}

/** Characters; browsers and proxies have similar limits. */
export const URL_LENGTH_MAX = 2_048;
/** Characters that the parser drops or rewrites, so that other programs would read another URL. */
const UNREADABLE = /[\p{Cc}\p{White_Space}\\]/u;
/** Scheme, two slashes, and everything before the path. */
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;
/** Letters, digits, hyphens and underscores between single dots. */
const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal)$/;
const LOOPBACK_NAME = /(?:^|\.)localhost$/;
const HOST_LENGTH_MAX = 253;

const faults = {
  tooLong: {
    code: "url_too_long",
    detail: `The URL may have at most ${URL_LENGTH_MAX} characters.`,
  },
  malformed: {
    code: "url_malformed",
    detail:
      "The URL must be complete, such as https://shop.example/hooks, without spaces or backslashes.",
  },
  scheme: {
    code: "url_scheme_not_allowed",
    detail: "The URL must begin with https://.",
  },
  schemeInTest: {
    code: "url_scheme_not_allowed",
    detail:
      "The URL must begin with https://; http:// is allowed for this machine only, such as localhost.",
  },
  credentials: {
    code: "url_has_credentials",
    detail: "The URL must not contain a user name or password; requests are signed instead.",
  },
  fragment: {
    code: "url_has_fragment",
    detail: "The URL must not contain a fragment; it is never sent to a server.",
  },
  host: {
    code: "url_host_not_allowed",
    detail:
      "The host must be a public name with a dot in it, such as shop.example, other than this server's own.",
  },
  address: {
    code: "url_address_not_public",
    detail: "The address must be public, outside of private, local and reserved ranges.",
  },
} satisfies Record<string, TargetFault>;

/** Every fault of the URL; empty if it may be called. */
export function targetFaults(text: string, rules: TargetRules): TargetFault[] {
  return [...unless(text.length <= URL_LENGTH_MAX, faults.tooLong), ...partFaults(text, rules)];
}

function partFaults(text: string, rules: TargetRules): TargetFault[] {
  const url = UNREADABLE.test(text) || !text.isWellFormed() ? null : URL.parse(text);
  if (url === null) return [faults.malformed];
  if (!/^https?:$/.test(url.protocol)) return [schemeFault(rules.reach)];
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority === undefined) return [faults.malformed];
  const isWithinReach =
    (rules.reach.loopback && isLoopbackHost(url.hostname)) ||
    isNamed(plainHost(url.hostname), rules.reach);
  return [
    ...unless(!authority.includes("@"), faults.credentials),
    ...unless(!text.includes("#"), faults.fragment),
    ...(isWithinReach ? nearbyFaults(url) : publicFaults(url, rules)),
  ];
}

function unless(isFine: boolean, fault: TargetFault): TargetFault[] {
  return isFine ? [] : [fault];
}

/** The host in the form used for connecting and certificates: without brackets and final dot. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/** Returns true if the name always means this machine (RFC 6761, section 6.3), so it is not resolved. */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK_NAME.test(host);
}

/** Returns true if the host, a name or an address, is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const host = plainHost(hostname);
  return isLoopbackName(host) || isLoopback(host);
}

/** The faults of a URL on a host of the operator's own, of which any scheme and port will do. */
function nearbyFaults(url: URL): TargetFault[] {
  const detail = "The port must be between 1 and 65535.";
  return unless(url.port !== "0", { code: "url_port_not_allowed", detail });
}

function publicFaults(url: URL, rules: TargetRules): TargetFault[] {
  return [
    ...unless(url.protocol === "https:", schemeFault(rules.reach)),
    ...portFaults(url, rules.ports),
    ...hostFaults(plainHost(url.hostname), rules.ownHost),
  ];
}

function schemeFault(reach: Reach): TargetFault {
  return reach.loopback ? faults.schemeInTest : faults.scheme;
}

/** Skips the implied port if the scheme itself is the fault. */
function portFaults(url: URL, allowed: readonly number[]): TargetFault[] {
  if (url.port === "" && url.protocol === "http:") return [];
  const port = url.port === "" ? 443 : Number(url.port);
  if (allowed.includes(port)) return [];
  const detail =
    allowed.length === 1
      ? `The port must be ${String(allowed[0])}.`
      : `The port must be one of ${allowed.join(", ")}.`;
  return [{ code: "url_port_not_allowed", detail }];
}

function hostFaults(host: string, ownHost: string | null): TargetFault[] {
  if (ownHost !== null && host === plainHost(ownHost)) return [faults.host];
  if (isAddress(host)) return unless(isPublicAddress(host), faults.address);
  const isName = HOST_NAME.test(host) && host.length <= HOST_LENGTH_MAX;
  return unless(isName && !LOCAL_NAME.test(host), faults.host);
}

const urlFaults = defineFaults({
  url_address_not_public: "The host is an address of a private network.",
  url_has_credentials: "The URL contains a user name or a password.",
  url_has_fragment: "The URL contains a fragment.",
  url_host_not_allowed: "The host is not a public name, or it is this server.",
  url_malformed: "The text is not a URL.",
  url_port_not_allowed: "The port is not one that the shop calls.",
  url_scheme_not_allowed: "The scheme must be https; in test mode http is allowed on loopback.",
  url_too_long: "The URL is too long.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof urlFaults> {}
}

/** Scheme and user of a URI whose host is an IPv6 address, the only place of brackets (RFC 3986). */
const BRACKETED_HOST =
  /^([a-z][a-z0-9+.-]*:\/\/(?:[^/?#@[\]]*@)?)\[([0-9a-f:.]+)\](?=(?::\d*)?(?:[/?#]|$))/i;
/** An authority with two `@`, which the URL parser reads as one user name with an `@`. */
const TWO_USERS = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]*@[^/?#@]*@/i;
/** Every character begins exactly one alternative, so the expression never goes back. */
const CHARACTERS =
  /^[a-z][a-z0-9+.-]*:(?:[-a-z0-9._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*(?:#(?:[-a-z0-9._~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*)?$/i;

/** Returns true if the text is a URI (RFC 3986) whose scheme, host and port the URL parser accepts, too. */
export function isUri(text: string): boolean {
  const address = BRACKETED_HOST.exec(text)?.[2];
  // The URL parser of Bun 1.4 takes `[::1:]`.
  if (address !== undefined && !isIPv6(address)) return false;
  const plain = text.replace(BRACKETED_HOST, "$1host");
  return CHARACTERS.test(plain) && !TWO_USERS.test(text) && URL.canParse(text);
}

/** All addresses of a host in the order to try them. Rejects if there are none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Less than a call's limit, so that time is left for the request. */
const RESOLVE_MS_MAX = 5_000;

/** The system's resolver, IPv4 first. An address, also in brackets, resolves to itself. */
export const systemResolve: Resolve = async (host, signal) => {
  const name = plainHost(host);
  if (isAddress(name)) return [name];
  if (isLoopbackName(name)) return ["127.0.0.1", "::1"];
  using limit = openDeadline(RESOLVE_MS_MAX, signal);
  const answers = await untilAborted(lookup(name, { all: true, order: "ipv4first" }), limit.signal);
  return [...new Set(answers.map(({ address }) => address))];
};
