// Reads the address of a request's client, and tells the operator once when a proxy is not trusted:
// without trust all its clients count as one.

import type { Log } from "#platform/log/log.ts";

import { type AddressRanges, clientAddress, isForwardedUntrusted } from "./addresses.ts";

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
