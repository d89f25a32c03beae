// Security headers and the Content-Security-Policy of responses. Invariant: no page runs a script
// or loads anything from another origin unless its own policy allows it.

/**
 * For responses that are not pages: nothing in them runs, loads, sends a form or can be framed. A window
 * that shows one shares the origin, and a script of another page could use it; `form-action` and
 * `base-uri` do not follow `default-src`.
 */
export const CLOSED_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sent with responses that may contain a shop's data. A page replaces the policy by its own. */
export const closedHeaders: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": CLOSED_POLICY,
  "Referrer-Policy": "no-referrer",
};

/**
 * The sources of a policy that name paths of this server; one that ends in `/` names everything below it.
 * Never `'self'`: that is the whole origin, and what is planted into a page would reach the dashboard.
 *
 * Browsers reach a page at more than its public URL (`localhost`, a proxy's name), so the host that the
 * request names is allowed, too. A forged Host changes only the answer to its own sender: a browser
 * sends the host of the page's address. No scheme is named, since a proxy may have ended TLS: browsers
 * then take the page's own. A proxy that rewrites Host needs the public URL. The host of a request
 * holds no space, comma or semicolon (see every-request.ts), so it cannot add to the policy.
 *
 * Browsers compare the host alone after a redirect: no path named here may redirect to the dashboard at
 * a caller's choice.
 */
export function ownPaths(
  request: Request,
  { publicUrl, paths }: { readonly publicUrl: string; readonly paths: readonly string[] },
): string {
  const addresses = new Set([new URL(request.url).host, publicUrl.replace(/^https?:\/\//, "")]);
  return [...addresses].flatMap((address) => paths.map((path) => `${address}${path}`)).join(" ");
}

/**
 * Added to the policy of a page whose forms end at addresses that are not known beforehand. The page
 * belongs to no origin: what it sends elsewhere on this server arrives as from another site, without
 * cookies, and it reads nothing of it. The policy itself says which scripts run.
 */
export const SANDBOX = "; sandbox allow-scripts allow-forms";

/**
 * The policy of a page without scripts: its one inline style, allowed by hash, and the targets of its
 * forms. Chromium applies `form-action` to every redirect that follows a form, so a form that ends at
 * a gateway must name the gateway's scheme, too.
 */
export function pagePolicy(style: string, formAction = "'none'"): string {
  const digest = new Bun.CryptoHasher("sha256").update(style).digest("base64");
  return [
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join("; ");
}
