// Determines the client address of a request. Invariant: entries of X-Forwarded-For count only if a
// trusted proxy wrote them, so no caller can choose its own address.

import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Address ranges, such as those of the operator's proxies. */
export type AddressRanges = readonly (readonly [network: Address, prefixBits: number])[];

/**
 * The bits of an IPv6 address that name a network; one customer of a provider owns the whole /64.
 */
const IPV6_NETWORK_BITS = 64;
/** The prefix bits of an IPv4 address mapped into IPv6 (RFC 4291, section 2.5.5.2). */
const IPV4_MAPPED_BITS = 96;

/**
 * Parses addresses and CIDR blocks. Throws a RangeError with the first entry that is neither, or
 * that would trust every caller.
 */
export function parseRanges(list: readonly string[]): AddressRanges {
  return list.map((entry) => {
    const range = entry.includes("/") ? parseBlock(entry) : parseSingle(entry);
    if (range === null)
      throw new RangeError(`"${entry}" is neither an IP address nor a CIDR block`);
    if (range[1] === 0) throw new RangeError(`"${entry}" would trust every caller`);
    return range;
  });
}

/**
 * The client's address: the peer, or the nearest entry of X-Forwarded-For that is no trusted proxy.
 * A malformed entry ends the search, because entries to its left are not trustworthy.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trusted: AddressRanges,
): string {
  let current = parseAddress(peer);
  if (current === null) return peer;
  const hops = forwardedFor === null || trusted.length === 0 ? [] : forwardedFor.split(",");
  while (hops.length > 0 && isTrusted(current, trusted)) {
    const next = parseAddress(withoutPort((hops.pop() ?? "").trim()));
    if (next === null) break;
    current = next;
  }
  return current.toString();
}

/** Returns true if a peer that is no trusted proxy says whom it forwards. */
export function isForwardedUntrusted(
  peer: string,
  forwardedFor: string | null,
  trusted: AddressRanges,
): boolean {
  return forwardedFor !== null && !isWithin(peer, trusted);
}

/** Returns true if the address is in one of the ranges. */
export function isWithin(address: string, ranges: AddressRanges): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && isTrusted(parsed, ranges);
}

/** Returns true if this is a loopback address. Names such as `localhost` are not addresses. */
export function isLoopback(address: string): boolean {
  return parseAddress(address)?.range() === "loopback";
}

/** Returns true if the text is an IP address; IPv4 only as four decimal numbers. */
export function isAddress(text: string): boolean {
  return parseAddress(text) !== null;
}

/**
 * The key for counting a caller's failures: an IPv4 address, or the /64 of an IPv6 address, because
 * its owner has all addresses of the /64.
 */
export function addressBlock(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null || parsed.kind() === "ipv4") return address;
  const network = parsed.toByteArray().fill(0, IPV6_NETWORK_BITS / 8);
  return `${ipaddr.fromByteArray(network).toString()}/${IPV6_NETWORK_BITS}`;
}

/** The network of an address as the audit log keeps it: the /24 of IPv4, the /48 of IPv6; null for other text. */
export function networkOf(address: string): string | null {
  const parsed = parseAddress(address);
  if (parsed === null) return null;
  const bits = parsed.kind() === "ipv4" ? 24 : 48;
  const network = parsed.toByteArray().fill(0, bits / 8);
  return `${ipaddr.fromByteArray(network).toString()}/${bits}`;
}

function isTrusted(address: Address, trusted: AddressRanges): boolean {
  return trusted.some(
    ([network, bits]) => network.kind() === address.kind() && address.match([network, bits]),
  );
}

/**
 * Parses an address; null if the text is none. Stricter than the library: `127.1` and `010.0.0.1`
 * are refused, because programs disagree about them. IPv4 mapped into IPv6 becomes IPv4.
 */
export function parseAddress(text: string): Address | null {
  if (!text.includes(":")) return parseIpv4(text);
  const tail = /:([^:%]*\.[^:%]*)(?:%|$)/.exec(text)?.[1];
  if (tail === undefined) return ipaddr.isValid(text) ? ipaddr.process(text) : null;
  const embedded = parseIpv4(tail);
  // The library reads `::127.0.0.1` as the mapped `::ffff:127.0.0.1`; they are different addresses.
  return embedded === null ? null : parseAddress(text.replace(tail, asWords(embedded)));
}

function parseIpv4(text: string): ipaddr.IPv4 | null {
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null;
}

/** The last two groups of an IPv6 address that embeds this IPv4 address. */
function asWords({ octets: [a = 0, b = 0, c = 0, d = 0] }: ipaddr.IPv4): string {
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function parseSingle(text: string): [Address, number] | null {
  const address = parseAddress(text);
  return address === null ? null : [address, address.kind() === "ipv4" ? 32 : 128];
}

function parseBlock(text: string): [Address, number] | null {
  const isStrict = text.includes(":") || ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
  if (!isStrict || !ipaddr.isValidCIDR(text)) return null;
  const [network, bits] = ipaddr.parseCIDR(text);
  const isMapped = "isIPv4MappedAddress" in network && network.isIPv4MappedAddress();
  return isMapped && bits >= IPV4_MAPPED_BITS
    ? [network.toIPv4Address(), bits - IPV4_MAPPED_BITS]
    : [network, bits];
}

/** Some proxies add the client's port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop);
  return bracketed?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1");
}
