// Reads the address of a request's client, and tells the operator once when a proxy is not trusted, or does not say whom
// it forwards: all its clients count as one then.

import type { Log } from "#platform/log/log.ts";

import {
  type AddressRanges,
  clientAddress,
  isForwardedUntrusted,
  isLoopback,
  isWithin,
} from "./addresses.ts";

const FORWARDED_UNTRUSTED =
  "A peer sends X-Forwarded-For, but DUKA_TRUSTED_PROXIES does not name it: if it is your proxy, all its clients count as one address.";

/**
 * Returns a function that finds the client's address, from a request and its peer. No warning is logged of peers that
 * are `expected` to send X-Forwarded-For although they are not trusted here.
 */
export function clientReader(
  trusted: AddressRanges,
  log: Pick<Log, "warn">,
  expected: AddressRanges = [],
): (request: Request, peer: string) => string {
  const known = [...trusted, ...expected];
  let isLogged = false;
  return (request, peer) => {
    const forwardedFor = request.headers.get("x-forwarded-for");
    if (!isLogged && isForwardedUntrusted(peer, forwardedFor, known)) {
      isLogged = true;
      log.warn(FORWARDED_UNTRUSTED, { peer });
    }
    return clientAddress(peer, forwardedFor, trusted);
  };
}

const FORWARDED_MISSING =
  "Visitors come from this machine or a trusted proxy without X-Forwarded-For, so all of them count as one address. Let the proxy send it (`duka proxy` prints how); name a program that renders a storefront in DUKA_STOREFRONT_SERVERS.";

/**
 * Returns a function that is told of each visitor of a server that strangers reach. It calls `onMissing` for one who comes
 * from a proxy without X-Forwarded-For, and logs a warning for the first. Servers of the operator's need not send it.
 */
export function forwardingWatch(
  { trusted, servers }: { readonly trusted: AddressRanges; readonly servers: AddressRanges },
  log: Pick<Log, "warn">,
  onMissing: () => void,
): (request: Request, peer: string) => void {
  let isLogged = false;
  return (request, peer) => {
    if (request.headers.has("x-forwarded-for") || isWithin(peer, servers)) return;
    if (!isLoopback(peer) && !isWithin(peer, trusted)) return;
    onMissing();
    if (!isLogged) log.warn(FORWARDED_MISSING, { peer });
    isLogged = true;
  };
}
