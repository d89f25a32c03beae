// Resolves host names. Invariant: results are never cached, because address checks must see the
// current ones.

import { lookup } from "node:dns/promises";

import { isAddress } from "./addresses.ts";
import { openDeadline, untilAborted } from "./deadline.ts";
import { isLoopbackName, plainHost } from "./target-url.ts";

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
