// The security headers of the dashboard, and whether a request is its own. Invariant: nothing changes for a request
// that another site's page sent.

import { isIP } from "node:net";

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

/** The names of this machine, also by another port, such as that of an SSH tunnel: a browser on it may use any of them. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Returns true if the request names the dashboard's own host. Else a page of another name could be led to this server.
 */
export function isOwnHost(request: Request, dashboardUrl: string): boolean {
  const { host } = new URL(dashboardUrl);
  const asked = (request.headers.get("host") ?? "").toLowerCase();
  return asked === host || (LOOPBACK.test(host) && LOOPBACK.test(asked));
}

/** Returns true if a page of the dashboard led here, and no other site's link or message; as `isOwnForm` knows it. */
export function isOwnStep(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return URL.parse(request.headers.get("referer") ?? "")?.host === request.headers.get("host");
}

/**
 * Returns true if a form was sent by a page of the dashboard: browsers say so in `Sec-Fetch-Site`, and where they do
 * not, as on a network name without https, in `Origin`. A request with neither is refused.
 */
export function isOwnForm(request: Request, dashboardUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  return origin !== null && origin === originOf(request, dashboardUrl);
}

/** The origin of the dashboard as this request names it. */
function originOf(request: Request, dashboardUrl: string): string {
  return `${new URL(dashboardUrl).protocol}//${request.headers.get("host") ?? ""}`;
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
