// From a host's name to its addresses. Invariant: every answer is asked for anew, because who judges
// addresses must see those of now.

import { lookup } from "node:dns/promises";

import { isAddress } from "./addresses.ts";
import { openDeadline, untilAborted } from "./deadline.ts";
import { isLoopbackName, plainHost } from "./target-url.ts";

/** All addresses of a host, in the order in which to try them. Rejects when they cannot be found. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** A part of the time of a call: who has no address by then will not have one in time. */
const RESOLVE_MS_MAX = 5_000;

/** The addresses the system knows, IPv4 first. An address is its own, in brackets or not. */
export const systemResolve: Resolve = async (host, signal) => {
  const name = plainHost(host);
  if (isAddress(name)) return [name];
  if (isLoopbackName(name)) return ["127.0.0.1", "::1"];
  using limit = openDeadline(RESOLVE_MS_MAX, signal);
  const answers = await untilAborted(lookup(name, { all: true, order: "ipv4first" }), limit.signal);
  return [...new Set(answers.map(({ address }) => address))];
};
