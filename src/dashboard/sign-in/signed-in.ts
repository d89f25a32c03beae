// What the browser of a person who signed in is to keep, and where it goes on.

import type { SignedIn } from "#shop/people/sessions/session.ts";

import { redirect } from "../respond.ts";
import type { DashboardTerms } from "../terms.ts";
import { writeCookie } from "./session-cookie.ts";

/** Leads on with the cookies of the session and of the known device. */
export function signedIn(
  terms: Pick<DashboardTerms, "url">,
  entered: SignedIn,
  to: string,
): Response {
  return redirect(to, cookiesOf(terms, entered));
}

/** The cookies of the session and of the known device. */
export function cookiesOf(
  { url }: Pick<DashboardTerms, "url">,
  { token, visitor, knownToken }: SignedIn,
): string[] {
  const { isBrief } = visitor.session;
  return [
    writeCookie(url(), "session", { value: token, isBrief }),
    ...(knownToken === null ? [] : [writeCookie(url(), "known", { value: knownToken })]),
  ];
}
