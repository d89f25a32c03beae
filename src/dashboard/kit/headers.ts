// The security headers of the dashboard, and what its pages ask about the request that led to them.

import { isIP } from "node:net";

import { originOf } from "#platform/html/own-form.ts";
import type { RelyingParty } from "#shop/people/passkeys/passkey.ts";

/**
 * Pictures of products are addresses of the merchant's, so any https picture is shown. `Referrer-Policy: same-origin`
 * and not `no-referrer`, with which browsers send `Origin: null` with the dashboard's own forms.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' https:; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types duka",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Returns true if a page of the dashboard led here, and no other site's link or message; as `isOwnForm` knows it. */
export function isOwnStep(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return URL.parse(request.headers.get("referer") ?? "")?.host === request.headers.get("host");
}

/**
 * The host to which passkeys belong here; null where browsers have none: at an IP address, and over plain http except at
 * `localhost`.
 */
export function relyingPartyOf(request: Request, dashboardUrl: string): RelyingParty | null {
  const url = URL.parse(originOf(request, dashboardUrl));
  if (url === null) return null;
  const { hostname: host, origin, protocol } = url;
  const isSecure = protocol === "https:" || host === "localhost" || host.endsWith(".localhost");
  return isSecure && isIP(host.replaceAll(/[[\]]/g, "")) === 0 ? { host, origin } : null;
}
