// The part of the router that routes outside of the documented interface are added to.

/** What a mounted route gets: the request, and the parameters of its path. */
export interface RouteContext {
  readonly request: Request;
  readonly params: Readonly<Record<string, string | null | undefined>>;
}

/** Elysia's own type changes with every route that is chained to it; this is what is used of it. */
export interface Router {
  all(
    path: string,
    reply: (context: RouteContext) => Response | Promise<Response>,
    options: typeof unlisted,
  ): unknown;
}

/** A route that reads its body itself and is not in the OpenAPI document. */
export const unlisted: { readonly parse: "none"; readonly detail: { readonly hide: true } } = {
  parse: "none",
  detail: { hide: true },
};
