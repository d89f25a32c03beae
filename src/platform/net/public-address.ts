// Tells public addresses from private ones and from the machine's own. Invariant: an address that
// may lead into the operator's network, however it is encoded, is not public.

import { networkInterfaces } from "node:os";

import ipaddr from "ipaddr.js";

import { monotonicMs } from "#kernel/time.ts";

import { type Address, parseAddress } from "./addresses.ts";

type Block = readonly [network: Address, prefixBits: number];

/** How long the list of interface addresses is cached, milliseconds; networks come and go. */
const OWN_ADDRESSES_MS_MAX = 60_000;

/** IANA's special-purpose registry for IPv4, with multicast and reserved ranges. */
const REFUSED_IPV4 = blocks(
  ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"],
  ["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
);

/**
 * The range that IANA assigns globally. It excludes loopback, `::127.0.0.1`, NAT64, private,
 * link-local and multicast addresses, and future special ranges.
 */
const GLOBAL_IPV6 = blocks(["2000::/3"]);
/**
 * Exceptions inside it: protocol assignments with Teredo, documentation, and 6to4, which embeds
 * IPv4.
 */
const REFUSED_IPV6 = blocks(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

let own: { readonly addresses: ReadonlySet<string>; readonly readAtMs: number } | null = null;

/** Returns true if the address is on the public internet. Text that is no address is not public. */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (parsed.kind() === "ipv4") return !isWithin(parsed, REFUSED_IPV4);
  return isWithin(parsed, GLOBAL_IPV6) && !isWithin(parsed, REFUSED_IPV6);
}

/** The addresses of this machine's interfaces in normal form, at most a minute old. */
function ownAddresses(): ReadonlySet<string> {
  const nowMs = monotonicMs();
  if (own === null || nowMs - own.readAtMs > OWN_ADDRESSES_MS_MAX) {
    own = { addresses: readOwnAddresses(), readAtMs: nowMs };
  }
  return own.addresses;
}

/** Returns true if this is an address of one of this machine's interfaces. */
export function isOwnAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && ownAddresses().has(parsed.toString());
}

function readOwnAddresses(): ReadonlySet<string> {
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const parsed = interfaces.map(({ address }) => parseAddress(address));
  return new Set(parsed.flatMap((address) => (address === null ? [] : [address.toString()])));
}

function isWithin(address: Address, refused: readonly Block[]): boolean {
  return refused.some(([network, bits]) => address.match(network, bits));
}

function blocks(...lists: readonly (readonly string[])[]): readonly Block[] {
  return lists.flat().map((block) => ipaddr.parseCIDR(block));
}
