// Security headers and the Content-Security-Policy of responses. Invariant: no page runs a script
// or loads anything from another origin unless its own policy allows it.

/** For responses that are not pages: nothing in them runs, loads or can be framed. */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Sent with responses that may contain a shop's data. A page replaces the policy by its own. */
export const closedHeaders: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": CLOSED_POLICY,
  "Referrer-Policy": "no-referrer",
};

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
