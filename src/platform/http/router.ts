// The router's interface for routes outside of the documented API.

/** The arguments of a mounted route. */
export interface RouteContext {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | null | undefined>>;
}

/** The part of Elysia that is used: its own type changes with every chained route. */
export interface Router {
  all(
    path: string,
    reply: (context: RouteContext) => Response | Promise<Response>,
    options: typeof unlisted,
  ): unknown;
}

/** Options of a route that reads its body itself and is not in the OpenAPI document. */
export const unlisted: { readonly parse: "none"; readonly detail: { readonly hide: true } } = {
  parse: "none",
  detail: { hide: true },
};

/** Only paths below /v2 ask for a key before they reveal whether they exist. */
export function isInterface(path: string): boolean {
  return path === "/v2" || path.startsWith("/v2/");
}

/** Returns true if a page of another site caused the request, as browsers say (Fetch Metadata); false for programs. */
export function isCrossSite(request: Request): boolean {
  return request.headers.get("sec-fetch-site") === "cross-site";
}
