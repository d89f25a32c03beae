// Tells the requests of this server's own pages from those of other sites. Invariant: nothing changes for a request that another site's page
// sent.

/** The names of this machine, also by another port, such as that of an SSH tunnel: a browser on it may use any of them. */
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Returns true if the request names the host of these pages. Else a page of another name could be led to this server.
 */
export function isOwnHost(request: Request, pagesUrl: string): boolean {
  const { host } = new URL(pagesUrl);
  const asked = (request.headers.get("host") ?? "").toLowerCase();
  return asked === host || (LOOPBACK.test(host) && LOOPBACK.test(asked));
}

/**
 * Returns true if a form was sent by a page of the same origin: browsers say so in `Sec-Fetch-Site`, and where they do
 * not, as on a network name without https, in `Origin`. A request with neither is refused.
 */
export function isOwnForm(request: Request, pagesUrl: string): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  return origin !== null && origin === originOf(request, pagesUrl);
}

/** The origin of the pages as this request names it. */
export function originOf(request: Request, pagesUrl: string): string {
  return `${new URL(pagesUrl).protocol}//${request.headers.get("host") ?? ""}`;
}
