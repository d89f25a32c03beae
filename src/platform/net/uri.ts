// Reads URIs in time that is linear in their length.

import { isIPv6 } from "node:net";

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
