// `/.well-known/security.txt`: where a person who found a vulnerability reports it (RFC 9116).

import { type Clock, DAY_MS, toIso } from "#kernel/time.ts";

import { mountPages, textPage } from "./pages.ts";
import type { Router } from "./router.ts";

const PATH = "/.well-known/security.txt";
/** The file must say until when it holds; it holds as long as the server answers with it. */
const VALID_MS = 90 * DAY_MS;

export interface SecurityContact {
  /** A mailto:, https: or tel: URI. */
  readonly contact: string;
  readonly clock: Clock;
}

export function mountSecurityContact(app: Router, terms: SecurityContact): void {
  mountPages(app, { [PATH]: () => textPage(securityText(terms), "text/plain; charset=utf-8") });
}

/** Expires at the end of a day, so that the file is the same for a whole day. */
function securityText({ contact, clock }: SecurityContact): string {
  const until = Math.ceil((clock.now() + VALID_MS) / DAY_MS) * DAY_MS;
  return `Contact: ${contact}\nExpires: ${toIso(until)}\n`;
}
