// The cookies of the dashboard: the session, and the mark of a device that has signed in before. Over https a name
// with `__Host-` binds a cookie to this host; without it the name has the port, because cookies know no ports.

import { DAY_MS } from "#kernel/time.ts";

const SESSION_S = (30 * DAY_MS) / 1000;
const KNOWN_S = (400 * DAY_MS) / 1000;

export type CookieName = "session" | "known";

/** The value of a cookie of the request; empty if there is none. */
export function readCookie(request: Request, dashboardUrl: string, name: CookieName): string {
  const wanted = `${nameOf(dashboardUrl, name)}=`;
  const cookies = (request.headers.get("cookie") ?? "").split(";").map((one) => one.trim());
  return cookies.find((one) => one.startsWith(wanted))?.slice(wanted.length) ?? "";
}

/** The header that keeps a cookie; an empty value deletes it. A brief one ends with the browser. */
export function writeCookie(
  dashboardUrl: string,
  name: CookieName,
  { value, isBrief = false }: { readonly value: string; readonly isBrief?: boolean },
): string {
  const kept = name === "session" ? SESSION_S : KNOWN_S;
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
  const stem = name === "session" ? "duka" : "duka-known";
  if (isSecure(dashboardUrl)) return `__Host-${stem}`;
  return `${stem}-${new URL(dashboardUrl).port || "80"}`;
}

function isSecure(dashboardUrl: string): boolean {
  return dashboardUrl.startsWith("https:");
}
