// Serves all but the health checks: Elysia matches the path, the dispatcher does the rest. It is loaded
// after the server listens.

import { Elysia } from "elysia";

import type { Mode, Shop } from "#platform/database/shop.ts";
import { bindRoutes } from "#platform/http/calls/bound-route.ts";
import type { AuditPort } from "#platform/http/contract/audit-terms.ts";
import type { Route } from "#platform/http/contract/route.ts";
import { Bodies } from "#platform/http/intake/bodies.ts";
import { Uploads } from "#platform/http/intake/uploads.ts";
import {
  type Visitor,
  VisitorLimits,
  type VisitorTerms,
} from "#platform/http/limits/visitor-limits.ts";
import { type DocsOptions, mountDocs } from "#platform/http/openapi/docs.ts";
import { isInterface, type Router, unlisted } from "#platform/http/router.ts";
import { isLoopback } from "#platform/net/addresses.ts";
import { lazilyLoaded } from "#platform/process/lazy.ts";

import { Dispatcher, type DispatchOptions } from "./dispatch.ts";
import { Inside } from "./inside.ts";
import type { TlsPaths } from "./listener.ts";
import { requestIdOf } from "./request-head.ts";

/** The routes and pages of a server. */
export interface Served<S extends Shop> {
  readonly routes: readonly Route<S>[];
  readonly shopOf: (mode: Mode) => S;
  readonly docs: DocsOptions;
  /** Adds routes without API keys: their URL is secret, or the request is signed. */
  readonly addOpen?: (app: Router, terms: OpenRouteTerms) => void;
}

/** The parts of the server that routes without API keys need. */
export interface OpenRouteTerms {
  readonly bodies: Bodies;
  readonly uploads: Uploads;
  /** The interface, as pages of this server ask it. */
  readonly inside: Inside;
  /** Limits pages of strangers that do not ask the interface. */
  readonly visitors: VisitorLimits;
  readonly peerOf: (request: Request) => string;
  /** Answers requests for these paths by routes that are loaded and added at the first one. */
  readonly addLater: (paths: readonly string[], add: (app: Router) => Promise<void>) => void;
}

export interface ServedOptions<S extends Shop> extends Omit<
  DispatchOptions,
  "addressOf" | "visitors" | "audit" | "bodies" | "uploads" | "shopOf"
> {
  /** A folder of this program alone, for files that are being received. */
  readonly uploadFolder: string;
  /**
   * The client's address, from the request and its peer: a trusted proxy forwards other clients.
   */
  readonly addressOf: (request: Request, peer: string) => string;
  /** False as long as this machine is the operator's alone: it may have any number of unfinished bodies. */
  readonly countsLoopback: boolean;
  /** How acts are recorded, and the client's network as it is recorded. */
  readonly audit: Omit<AuditPort, "networkOf"> & {
    readonly networkOf: (request: Request, peer: string) => string | null;
  };
  /** How publishable keys are limited. */
  readonly visitorTerms: Omit<VisitorTerms, "visitorOf"> & {
    readonly visitorOf: (request: Request, peer: string) => Visitor;
  };
  /** Called for each request that is not for the interface, such as of a page. */
  readonly onVisit?: (request: Request, peer: string) => void;
  readonly load: () => Promise<Served<S>>;
  /** The path to which opening the server's address in a browser leads. */
  readonly homePath: string;
  /** The page that a browser is shown at an address that leads nowhere; programs are told by a problem document. */
  readonly notFoundPage: (request: Request) => Promise<Response>;
  readonly tls: TlsPaths | null;
}

/** Loads the routes and pages, and returns what answers a request for them. */
export async function loadServed<S extends Shop>(
  options: ServedOptions<S>,
  peerOf: (request: Request) => string,
): Promise<(request: Request) => Response | Promise<Response>> {
  const { routes: declared, shopOf, docs, addOpen } = await options.load();
  const addressOf = (request: Request) => options.addressOf(request, peerOf(request));
  const bodies = new Bodies((request) => {
    const address = addressOf(request);
    return options.countsLoopback || !isLoopback(address) ? address : null;
  });
  const uploads = new Uploads(options.uploadFolder);
  const visitors = new VisitorLimits({
    ...options.visitorTerms,
    visitorOf: (request) => options.visitorTerms.visitorOf(request, peerOf(request)),
  });
  const dispatcher = new Dispatcher({
    ...options,
    shopOf,
    addressOf,
    audit: {
      ...options.audit,
      networkOf: (request) => options.audit.networkOf(request, peerOf(request)),
    },
    visitors,
    bodies,
    uploads,
  });
  const newApp = () =>
    new Elysia({
      aot: true,
      strictPath: true,
      normalize: false,
      // Elysia searches the path from character 11 or 7: the former misreads a short host name
      // (`http://pos/v2`), the latter the second slash of `https://`.
      handler: { standardHostname: options.tls !== null },
    }).onError(({ request, path, code }) =>
      code === "NOT_FOUND" && isPageAsked(request, path)
        ? options.notFoundPage(request)
        : dispatcher.respond(request, { routes: null, path, params: {} }),
    );
  const app = newApp();
  const paths = bindRoutes(declared);
  for (const [path, routes] of paths) {
    app.all(
      path.replaceAll(/\{(\w+)\}/g, ":$1"),
      (context) =>
        dispatcher.respond(context.request, { routes, path: context.path, params: context.params }),
      unlisted,
    );
  }
  mountDocs(app, docs);
  app.get("/", () => new Response(null, { status: 302, headers: { Location: options.homePath } }), {
    detail: { hide: true },
  });
  const addLater = laterAdder(app, { newApp, onFault: options.onFault });
  const inside = new Inside(dispatcher, paths);
  addOpen?.(app, { bodies, uploads, peerOf, inside, visitors, addLater });
  const reply = (request: Request) => app.fetch(request);
  return options.onVisit === undefined ? reply : watched(reply, options.onVisit, peerOf);
}

/** The same replies, with a call for each request that is not for the interface. */
function watched(
  reply: (request: Request) => Response | Promise<Response>,
  onVisit: (request: Request, peer: string) => void,
  peerOf: (request: Request) => string,
): typeof reply {
  return (request) => {
    if (!isInterface(new URL(request.url).pathname)) onVisit(request, peerOf(request));
    return reply(request);
  };
}

function laterAdder<A extends Router & Pick<Elysia, "fetch">>(
  app: Router,
  { newApp, onFault }: { readonly newApp: () => A } & Pick<DispatchOptions, "onFault">,
): OpenRouteTerms["addLater"] {
  return (paths, add) => {
    const added = lazilyLoaded(async () => {
      const inner = newApp();
      await add(inner);
      return inner;
    });
    const answer = async (request: Request) => {
      try {
        return await (await added()).fetch(request);
      } catch (error) {
        onFault(error, requestIdOf(request));
        return new Response(null, { status: 503 });
      }
    };
    for (const path of paths) app.all(path, ({ request }) => answer(request), unlisted);
  };
}

/** Returns true if a browser opens the address: below /v2 every caller is a program. */
function isPageAsked({ method, headers }: Request, path: string): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && !isInterface(path) && (headers.get("accept") ?? "").includes("text/html");
}
