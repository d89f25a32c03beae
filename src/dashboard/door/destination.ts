// Where the ways in lead to: a path that came with a request.

/** The path, if it is one of the dashboard's own, or else its first page. */
export function destination(to: string | null): string {
  // Visible ASCII alone: no other character belongs into a header.
  const isOwn = to !== null && /^\/dashboard(?:[/?][!-[\]-~]*)?$/.test(to);
  return isOwn ? to : "/dashboard";
}
