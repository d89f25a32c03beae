// Judges a URL that a merchant typed, before anything is sent to it. Invariant: only the parts that
// the URL parser found are judged, so no spelling of a host gets by that the parser understands.

import { isAddress, isLoopback } from "./addresses.ts";
import { isPublicAddress } from "./public-address.ts";

/** Live mode calls the public internet; test mode also programs on the same machine. */
export type Reach = "public" | "public_or_loopback";

export interface TargetRules {
  readonly reach: Reach;
  /** The ports that may be named for the public internet, usually 443 alone. */
  readonly ports: readonly number[];
  /** The host of our own public URL, which is refused; null where it is unknown. */
  readonly ownHost: string | null;
}

export interface TargetFault {
  readonly code: string;
  readonly detail: string;
}

/** Characters of text and of stored rows, as browsers and proxies bound URLs. */
const URL_LENGTH_MAX = 2_048;
/** What the parser would drop, trim or turn into something else: then others read another URL. */
const UNREADABLE = /[\p{Cc}\p{White_Space}\\]/u;
/** Scheme, two slashes, then what stands in front of the path. */
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
    detail: "Write a whole URL, such as https://shop.example/hooks, without spaces or backslashes.",
  },
  scheme: {
    code: "url_scheme_not_allowed",
    detail: "The URL must begin with https://.",
  },
  schemeInTest: {
    code: "url_scheme_not_allowed",
    detail: "The URL must begin with https://; http:// is for this machine only, as in localhost.",
  },
  credentials: {
    code: "url_has_credentials",
    detail: "Leave out the user name and the password; requests are signed instead.",
  },
  fragment: {
    code: "url_has_fragment",
    detail: "Leave out the # and what follows it; it is never sent to a server.",
  },
  host: {
    code: "url_host_not_allowed",
    detail: "The host must be a public name with a dot in it, such as shop.example, and not ours.",
  },
  address: {
    code: "url_address_not_public",
    detail: "The address must be a public one; private, local and reserved ranges are not called.",
  },
} satisfies Record<string, TargetFault>;

/** Everything that speaks against calling this URL; empty when it may be called. */
export function targetFaults(text: string, rules: TargetRules): TargetFault[] {
  return [...unless(text.length <= URL_LENGTH_MAX, faults.tooLong), ...partFaults(text, rules)];
}

function partFaults(text: string, rules: TargetRules): TargetFault[] {
  const url = UNREADABLE.test(text) || !text.isWellFormed() ? null : URL.parse(text);
  if (url === null) return [faults.malformed];
  if (!/^https?:$/.test(url.protocol)) return [schemeFault(rules.reach)];
  const authority = AUTHORITY.exec(text)?.[1];
  if (authority === undefined) return [faults.malformed];
  const isWithinReach = rules.reach === "public_or_loopback" && isLoopbackHost(url.hostname);
  return [
    ...unless(!authority.includes("@"), faults.credentials),
    ...unless(!text.includes("#"), faults.fragment),
    ...(isWithinReach ? loopbackFaults(url) : publicFaults(url, rules)),
  ];
}

function unless(isFine: boolean, fault: TargetFault): TargetFault[] {
  return isFine ? [] : [fault];
}

/** The host as it is asked for and shown in certificates: no brackets, no final dot. */
export function plainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

/** Whether a name means this machine to everybody (RFC 6761, section 6.3), so nobody is asked. */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK_NAME.test(host);
}

function isLoopbackHost(hostname: string): boolean {
  const host = plainHost(hostname);
  return isLoopbackName(host) || isLoopback(host);
}

function loopbackFaults(url: URL): TargetFault[] {
  const detail = "Name a port between 1 and 65535.";
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
  return reach === "public" ? faults.scheme : faults.schemeInTest;
}

/** A port that only the scheme implies is not judged where the scheme is the fault. */
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
