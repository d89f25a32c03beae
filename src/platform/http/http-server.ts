// The HTTP server: Elysia matches the path, the dispatcher does the rest. It listens with the health checks alone; what
// it serves is loaded then, and requests for that wait until it is.

import { Elysia } from "elysia";

import type { Mode, Shop } from "#platform/database/shop.ts";
import { bindRoutes } from "#platform/http/contract/bound-route.ts";
import type { Route } from "#platform/http/contract/route.ts";
import { Bodies } from "#platform/http/intake/bodies.ts";
import { BODY_BYTES_MAX } from "#platform/http/json/read-body.ts";
import { type DocsOptions, mountDocs } from "#platform/http/openapi/docs.ts";
import { lazy } from "#platform/process/lazy.ts";

import type { AuditPort } from "./audit/audit-port.ts";
import { Dispatcher, type DispatchOptions } from "./dispatch.ts";
import { everyRequest } from "./every-request.ts";
import { type LiveCheck, mountHealth } from "./health.ts";
import { Inside } from "./inside.ts";
import type { AddressTerms } from "./limits/address-limits.ts";
import { Listener, type TlsPaths } from "./listener.ts";
import { isInterface, type Router, unlisted } from "./router.ts";

/**
 * No route takes more than 1 MiB, and most refuse a larger body with a problem document; beyond this
 * size Bun responds with a bare 413.
 */
const RECEIVED_BYTES_MAX = 2 * BODY_BYTES_MAX;
/**
 * A connection that is idle for this long is closed, seconds: twice the longest wait of the event
 * feed.
 */
const IDLE_SECONDS = 60;

/** A proxy may close these paths, so no other spelling of them is served. */
const OPERATOR_PATHS = ["/metrics", "/livez", "/readyz"];

export interface HttpOptions<S extends Shop> extends Omit<
  DispatchOptions,
  "addressOf" | "addressTerms" | "audit" | "bodies" | "shopOf"
> {
  readonly shopOf: (mode: Mode) => S;
  /**
   * The client's address, from the request and its peer: a trusted proxy forwards other clients.
   */
  readonly addressOf: (request: Request, peer: string) => string;
  /** How acts are recorded, and the client's network as it is recorded. */
  readonly audit: Omit<AuditPort, "networkOf"> & {
    readonly networkOf: (request: Request, peer: string) => string | null;
  };
  /** How publishable keys are limited by address, which is null for a server of the merchant's own. */
  readonly addressTerms: Omit<AddressTerms, "countedAddressOf"> & {
    readonly countedAddressOf: (request: Request, peer: string) => string | null;
  };
  /** Loads what is served beside the operator's paths. */
  readonly load: () => Promise<Served<S>>;
  /** Where opening the server's address in a browser leads. */
  readonly homePath: string;
  /** What a browser is shown at an address that leads nowhere; programs are told by a problem document. */
  readonly notFoundPage: () => Promise<Response>;
  readonly readiness: LiveCheck;
  /** Whether the operator sent a request, from the request and its peer. */
  readonly isOperator: (request: Request, peer: string) => boolean;
  /** Adds what the operator reads beside the health checks. */
  readonly addOperator?: (app: Router, isOperator: (request: Request) => boolean) => void;
  readonly host: string;
  readonly port: number;
  /** Whether this server terminates TLS and may therefore send HSTS. */
  readonly endsTls: boolean;
  readonly tls: TlsPaths | null;
  /** Called with the end of its validity when a new certificate is in use. */
  readonly onRenewed?: (validTo: string) => void;
  /** Called when a new certificate cannot be used; the earlier one stays in use. */
  readonly onCertificateFault?: (error: unknown) => void;
}

/** What a server serves. */
export interface Served<S extends Shop> {
  readonly routes: readonly Route<S>[];
  readonly docs: DocsOptions;
  /** Adds routes without API keys: their URL is secret, or the request is signed. */
  readonly addOpen?: (app: Router, doors: OpenDoors) => void;
}

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Loads what is served, and throws if that fails; the first request does so, too. */
  load(): Promise<void>;
  /** See `Listener.stop`. */
  stop(withinMs: number): Promise<void>;
}

/** What routes without API keys need of the server. */
export interface OpenDoors {
  readonly bodies: Bodies;
  /** The interface, as pages of this server ask it. */
  readonly inside: Inside;
  readonly peerOf: (request: Request) => string;
  /** Answers requests for these paths by routes that are loaded and added at the first one. */
  readonly addLater: (paths: readonly string[], add: (app: Router) => Promise<void>) => void;
}

/** Listens and serves the health checks, and the routes and the documentation once they are loaded. */
export function listen<S extends Shop>(options: HttpOptions<S>): Listening {
  const peerOf = (request: Request) => listener.peerOf(request);
  const mounting = prepare(options, peerOf);
  const served = lazy(async () => mountServed(await options.load(), options.homePath, mounting));
  const readiness = async () => {
    await served();
    return options.readiness();
  };
  const operator = mountOperator({ ...options, readiness }, mounting);
  const { host, port, tls, endsTls } = options;
  const listener = new Listener({
    host,
    port,
    tls,
    handlers: {
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: RECEIVED_BYTES_MAX,
      ...everyRequest(async (request) => (await served()).fetch(request), {
        endsTls,
        exact: { paths: OPERATOR_PATHS, reply: (request) => operator.fetch(request) },
      }),
    },
    onRenewed: (validTo) => options.onRenewed?.(validTo),
    onFault: (error) => options.onCertificateFault?.(error),
  });
  return {
    port: listener.port,
    load: async () => void (await served()),
    stop: (withinMs) => listener.stop(withinMs),
  };
}

type Mounting = ReturnType<typeof prepare>;

function prepare<S extends Shop>(options: HttpOptions<S>, peerOf: (request: Request) => string) {
  const addressOf = (request: Request) => options.addressOf(request, peerOf(request));
  const bodies = new Bodies(addressOf);
  const dispatcher = new Dispatcher({
    ...options,
    addressOf,
    audit: {
      ...options.audit,
      networkOf: (request) => options.audit.networkOf(request, peerOf(request)),
    },
    addressTerms: {
      ...options.addressTerms,
      countedAddressOf: (request) =>
        options.addressTerms.countedAddressOf(request, peerOf(request)),
    },
    bodies,
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
        ? options.notFoundPage()
        : dispatcher.respond(request, { routes: null, path, params: {} }),
    );
  return { bodies, dispatcher, newApp, peerOf };
}

type App = ReturnType<Mounting["newApp"]>;

function mountOperator(
  {
    isOperator,
    readiness,
    addOperator,
  }: Pick<HttpOptions<Shop>, "isOperator" | "readiness" | "addOperator">,
  { newApp, peerOf }: Mounting,
): App {
  const app = newApp();
  const isFromOperator = (request: Request) => isOperator(request, peerOf(request));
  mountHealth(app, readiness, isFromOperator);
  addOperator?.(app, isFromOperator);
  return app;
}

function mountServed<S extends Shop>(
  { routes: declared, docs, addOpen }: Served<S>,
  homePath: string,
  { bodies, dispatcher, newApp, peerOf }: Mounting,
): App {
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
  app.get("/", () => new Response(null, { status: 302, headers: { Location: homePath } }), {
    detail: { hide: true },
  });
  const addLater: OpenDoors["addLater"] = (later, add) => {
    const added = lazy(async () => {
      const inner = newApp();
      await add(inner);
      return inner;
    });
    for (const path of later) {
      app.all(path, async ({ request }) => (await added()).fetch(request), unlisted);
    }
  };
  addOpen?.(app, { bodies, peerOf, inside: new Inside(dispatcher, paths), addLater });
  return app;
}

/** Whether a browser opens the address: below /v2 every caller is a program. */
function isPageAsked({ method, headers }: Request, path: string): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && !isInterface(path) && (headers.get("accept") ?? "").includes("text/html");
}
