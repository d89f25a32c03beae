// The document of a page without scripts, its styles, and the security headers of responses. Invariant: no page runs a
// script or loads anything from another origin unless its own policy allows it.

/**
 * The style of payment pages, designed for phones first. Every color has a contrast of at least 4.5 to 1 with its
 * background, in light and dark mode.
 */
import { type Html, html, trusted } from "./html.ts";

export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f5f7, #14171c);
  --sheet: light-dark(#ffffff, #1d2128);
  --ink: light-dark(#16181d, #f1f3f6);
  --faint: light-dark(#565d6b, #a9b1bf);
  --line: light-dark(#767d8c, #7d8696);
  --pay: light-dark(#0b6b3a, #12804a);
  --pay-ink: #ffffff;
  --pay-edge: var(--pay);
  --done: light-dark(#0b6b3a, #6fd69d);
  --stop: light-dark(#a3161f, #ff9aa0);
  --mode-ink: light-dark(#5c3d00, #ffd98a);
  --mode: light-dark(#fff0cc, #3a2d0c);
  font: 16px/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); }
header, main { max-width: 26rem; margin: 0 auto; padding: 1rem 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; }
p { margin: 0; }
.shop { font-weight: 650; overflow-wrap: anywhere; }
.mode { padding: .15rem .6rem; border-radius: 1rem; font-size: .8125rem; background: var(--mode); color: var(--mode-ink); }
main { display: grid; gap: 1rem; padding: 1.25rem; background: var(--sheet); }
h1 { margin: 0; font-size: 1.125rem; font-weight: 500; color: var(--faint); }
.paid h1 { font-weight: 700; color: var(--done); }
.amount { font-size: 2.25rem; line-height: 1.1; font-weight: 700; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
dl { margin: 0; display: grid; gap: .35rem; font-size: .9375rem; }
dl div { display: flex; gap: 1rem; justify-content: space-between; }
dt { color: var(--faint); }
dd { margin: 0; text-align: right; overflow-wrap: anywhere; }
form { margin: 0; }
button, select, .button {
  display: block; width: 100%; min-height: 2.875rem; padding: .6rem .9rem; font: inherit;
  color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: .6rem;
}
button + button { margin-top: .75rem; }
button, .button { font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
button.pay { color: var(--pay-ink); background: var(--pay); border-color: var(--pay-edge); }
button.plain { color: var(--faint); border-color: transparent; background: none; font-weight: 500; text-decoration: underline; }
.notice { padding: .6rem .9rem; border-radius: .6rem; background: var(--mode); color: var(--mode-ink); }
:focus-visible { outline: 3px solid light-dark(#1b5fd0, #8ab8ff); outline-offset: 2px; }
@media (min-width: 40rem) {
  body { padding: 3rem 0; }
  header { padding-inline: 1.75rem; }
  main { border-radius: 1rem; padding: 1.75rem; box-shadow: 0 1px 3px #0002, 0 8px 24px #0001; }
}
`;

/** The style of pages that are read: guides and explanations, on a phone or a wide screen, light or dark. */
export const READING_STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { max-width: 46rem; margin: 0 auto; padding: 2rem 1rem 4rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
a { color: light-dark(#0b57b0, #8ab8ff); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
`;

interface HtmlDocument {
  /** BCP 47, of the texts; English without it. */
  readonly language?: string;
  readonly title: string;
  readonly style: string;
  readonly body: Html;
}

/** The whole document. */
export function htmlDocument({ language = "en", title, style, body }: HtmlDocument): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${trusted(`<style>${style}</style>`)}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}

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
