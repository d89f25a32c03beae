// The cookies of the dashboard: the session, the mark of a device that has signed in before, and the challenge that a
// passkey is to sign. Over https a name
// with `__Host-` binds a cookie to this host; without it the name has the port, because cookies know no ports.

import { DAY_MS, SECOND_MS } from "#kernel/time.ts";
import { CHALLENGE_MS } from "#shop/people/passkeys/passkey.ts";

export type CookieName = "session" | "known" | "challenge";

/** The name of each, and how long a browser keeps it. */
const cookies: Readonly<Record<CookieName, { readonly stem: string; readonly keptMs: number }>> = {
  session: { stem: "duka", keptMs: 30 * DAY_MS },
  known: { stem: "duka-known", keptMs: 400 * DAY_MS },
  challenge: { stem: "duka-challenge", keptMs: CHALLENGE_MS },
};

/** The value of a cookie of the request; empty if there is none. */
export function readCookie(request: Request, dashboardUrl: string, name: CookieName): string {
  const wanted = `${nameOf(dashboardUrl, name)}=`;
  const sent = (request.headers.get("cookie") ?? "").split(";").map((one) => one.trim());
  return sent.find((one) => one.startsWith(wanted))?.slice(wanted.length) ?? "";
}

/** The header that keeps a cookie; an empty value deletes it. A brief one ends with the browser. */
export function writeCookie(
  dashboardUrl: string,
  name: CookieName,
  { value, isBrief = false }: { readonly value: string; readonly isBrief?: boolean },
): string {
  const kept = cookies[name].keptMs / SECOND_MS;
  return [
    `${nameOf(dashboardUrl, name)}=${value}`,
    "Path=/",
    "HttpOnly",
    // Not Strict: a link in a message must open the shop for a person who is signed in.
    "SameSite=Lax",
    ...(isSecure(dashboardUrl) ? ["Secure"] : []),
    ...(value === "" ? ["Max-Age=0"] : isBrief ? [] : [`Max-Age=${kept}`]),
  ].join("; ");
}

function nameOf(dashboardUrl: string, name: CookieName): string {
  const { stem } = cookies[name];
  if (isSecure(dashboardUrl)) return `__Host-${stem}`;
  return `${stem}-${new URL(dashboardUrl).port || "80"}`;
}

function isSecure(dashboardUrl: string): boolean {
  return dashboardUrl.startsWith("https:");
}
