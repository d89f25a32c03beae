// The cookie that the browser of a person who signed in keeps, and where it goes on.

import { redirect } from "#dashboard/kit/respond.ts";
import { writeCookie } from "#dashboard/kit/session-cookie.ts";
import type { DashboardTerms } from "#dashboard/kit/terms.ts";
import type { SignedIn } from "#shop/people/sessions/session.ts";

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

// Words about a device, for the list of sessions: enough to tell one's own phone from another.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\//, "Firefox"],
  [/\bChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** The browser and the system that a `User-Agent` header names, such as `Chrome on Android`. */
export function deviceOf(request: Request): string {
  const agent = request.headers.get("user-agent") ?? "";
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1] ?? "A browser";
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
