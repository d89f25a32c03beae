// Where the ways in lead to: a path that came with a request.

/**
 * The path, if it is one of the dashboard's own, or else its first page. It is led to by a sign-in, so that the page
 * would believe what `done` says, and any link can lead to one: it is left out.
 */
export function destination(to: string | null): string {
  // Visible ASCII alone: no other character belongs into a header. Steps up would lead out of the dashboard.
  if (to === null || !/^\/dashboard(?:[/?][!-[\]-~]*)?$/.test(to)) return "/dashboard";
  if (!/^\/dashboard(?:\/|$)/.test(URL.parse(to, "http://dashboard")?.pathname ?? "")) {
    return "/dashboard";
  }
  const [path = "", ...rest] = to.split("?");
  const query = new URLSearchParams(rest.join("?"));
  if (!query.has("done")) return to;
  query.delete("done");
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
