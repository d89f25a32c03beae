// The HTTP server. It listens with what the operator reads alone, which needs no router; what it serves is loaded then,
// and requests for that wait until it is.

import type { Shop } from "#platform/database/shop.ts";
import { closedHeaders } from "#platform/html/html-document.ts";
import { type RouteContext, type Router, unlisted } from "#platform/http/router.ts";
import { lazy } from "#platform/process/lazy.ts";

import { Listener } from "./listener.ts";
import { requestIdOf } from "./request-head.ts";
import type { ServedOptions } from "./served.ts";

// Wraps every request and response, whatever answers it. Invariant: no response leaves without
// the security headers; a page replaces those that it needs otherwise.

/** A year: browsers that came over HTTPS once do not come back without it. */
const STRICT_TRANSPORT = "max-age=31536000";
/** The host that a request names: a name or an address, and a port. Without one there is no URL, which pages read. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The hosts that a server answers to: `local` is this machine, `network` also addresses and names without a dot, as of
 * containers. Else a name of a stranger that leads here would let that stranger's page read the shop (DNS rebinding).
 */
export type ServedHosts = "local" | "network" | "any";

const LOCAL = String.raw`(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|host\.docker\.internal`;
const servedHosts: Readonly<Record<ServedHosts, RegExp>> = {
  local: new RegExp(`^(?:${LOCAL})(?::\\d+)?$`, "i"),
  network: new RegExp(
    String.raw`^(?:${LOCAL}|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\]|[\w-]+)(?::\d+)?$`,
    "i",
  ),
  any: /^/,
};
/** A machine that watches the server may call it by any name. */
const HEALTH: ReadonlySet<string> = new Set(["/livez", "/readyz"]);

interface EveryTerms {
  readonly hosts: ServedHosts;
  /** Answers a request for a host that the server does not answer to. */
  readonly refuseHost: Responder;
  /** True if this server terminates TLS and may therefore send HSTS. */
  readonly endsTls: boolean;
  /** Paths that are served only if the request line has them as they are, without `..` or `\`, and what answers them. */
  readonly exact: Readonly<Record<string, Responder>>;
}

type Responder = (request: Request) => Response | Promise<Response>;

/** The handlers of Bun's server: `reply` with the checks and headers of every request. */
function everyRequest(reply: Responder, { hosts, refuseHost, endsTls, exact }: EveryTerms) {
  const headers = Object.entries({
    ...closedHeaders,
    ...(endsTls ? { "Strict-Transport-Security": STRICT_TRANSPORT } : {}),
  });
  const complete = (response: Response): Response => {
    for (const [name, value] of headers) {
      if (!response.headers.has(name)) response.headers.set(name, value);
    }
    return response;
  };
  const served = servedHosts[hosts];
  const respond = async (request: Request, answer: Responder, path = "") => {
    const host = request.headers.get("host") ?? "";
    if (!HOST.test(host) || !URL.canParse(request.url)) {
      return complete(new Response(null, { status: 400, headers: { Connection: "close" } }));
    }
    const isServed = served.test(host) || HEALTH.has(path);
    return complete(await (isServed ? answer : refuseHost)(request));
  };
  return {
    // Bun compares routes with the path of the request line; `fetch` sees it normalized.
    routes: Object.fromEntries(
      Object.entries(exact).map(([path, answer]) => [
        path,
        (request: Request) => respond(request, answer, path),
      ]),
    ),
    fetch: (request: Request) =>
      Object.hasOwn(exact, pathOf(request.url))
        ? complete(new Response(null, { status: 404 }))
        : respond(request, reply),
  };
}

function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  return url.slice(start, end === -1 ? undefined : end);
}

/**
 * Above what any route takes: a form with pictures. Each route has a bound of its own, and answers a larger body itself;
 * beyond this size Bun responds with a bare 413. Bun reads no more of a body than its route asks for.
 */
const RECEIVED_BYTES_MAX = 68 * 1_048_576;
/**
 * A connection that is idle for this long is closed, seconds: twice the longest wait of the event
 * feed.
 */
const IDLE_SECONDS = 60;
/** Time to accept a connection, read its request, and answer it, milliseconds. */
const CHECKS_MS = 1;

export interface HttpOptions<S extends Shop> extends ServedOptions<S> {
  readonly readiness: LiveCheck;
  /** True if the operator sent a request, from the request and its peer. */
  readonly isOperator: (request: Request, peer: string) => boolean;
  /** Adds what the operator reads beside the health checks. */
  readonly addOperator?: (app: Router, isOperator: (request: Request) => boolean) => void;
  readonly host: string;
  readonly port: number;
  readonly hosts: ServedHosts;
  /** True if this server terminates TLS and may therefore send HSTS. */
  readonly endsTls: boolean;
  /** Called with the end of its validity when a new certificate is in use. */
  readonly onRenewed?: (validTo: string) => void;
  /** Called when a new certificate cannot be used; the earlier one stays in use. */
  readonly onCertificateFault?: (error: unknown) => void;
}

/** A server that listens. */
interface Listening {
  readonly port: number;
  /** Loads what is served, and throws if that fails; the first request does so, too. */
  load(): Promise<void>;
  /** See `Listener.renew`. */
  renew(): void;
  /** See `Listener.stop`. */
  stop(withinMs: number): Promise<void>;
}

/** True if a server of this program has loaded what it serves; the next one has nothing left to load. */
let isLoaded = false;

/** Loads a part of what is served once the checks that came meanwhile are answered: a load keeps the thread for 10 ms. */
export async function betweenChecks<T>(load: () => Promise<T>): Promise<T> {
  if (!isLoaded) await Bun.sleep(CHECKS_MS);
  return load();
}

/** Listens and serves the health checks, and the routes and pages once they are loaded. */
export function listen<S extends Shop>(options: HttpOptions<S>): Listening {
  const peerOf = (request: Request) => listener.peerOf(request);
  const served = lazy(async () => {
    const { loadServed } = await betweenChecks(() => import("./served.ts"));
    const reply = await loadServed(options, peerOf);
    isLoaded = true;
    return reply;
  });
  const { host, port, tls, hosts, endsTls } = options;
  const listener = new Listener({
    host,
    port,
    tls,
    handlers: {
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: RECEIVED_BYTES_MAX,
      ...everyRequest(async (request) => (await served())(request), {
        hosts,
        endsTls,
        refuseHost: async (request) => {
          const { answerWrongHost } = await import("./wrong-host.ts");
          return answerWrongHost(request, options.publicUrl());
        },
        exact: operatorPaths(options, { peerOf, served }),
      }),
    },
    onRenewed: (validTo) => options.onRenewed?.(validTo),
    onFault: (error) => options.onCertificateFault?.(error),
  });
  return {
    port: listener.port,
    load: async () => void (await served()),
    renew: () => listener.renew(),
    stop: (withinMs) => listener.stop(withinMs),
  };
}

/**
 * The pages that the operator reads, by their paths. A proxy may close these paths, so no other spelling of them is
 * served.
 */
function operatorPaths<S extends Shop>(
  { isOperator, readiness, addOperator, onFault }: HttpOptions<S>,
  terms: {
    readonly peerOf: (request: Request) => string;
    readonly served: () => Promise<unknown>;
  },
): Readonly<Record<string, Responder>> {
  const replies: Record<string, Responder> = {};
  const app: Router = {
    all: (path: string, reply: (context: RouteContext) => Response | Promise<Response>) => {
      replies[path] = async (request) => {
        try {
          return await reply({ request, params: {} });
        } catch (error) {
          onFault(error, requestIdOf(request));
          return new Response(null, { status: 500 });
        }
      };
    },
  };
  const isFromOperator = (request: Request) => isOperator(request, terms.peerOf(request));
  const readinessOnceLoaded = async () => {
    await terms.served();
    return readiness();
  };
  mountHealth(app, readinessOnceLoaded, isFromOperator);
  addOperator?.(app, isFromOperator);
  return replies;
}

// Health checks without a key, for monitoring: `/livez` and `/readyz`.

/** The result of the readiness check. */
interface Readiness {
  readonly ready: boolean;
  /** Facts that anybody may know. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Facts that only the operator may know: they tell when orders were placed. */
  readonly inside: () => Promise<Readonly<Record<string, unknown>>>;
}

type LiveCheck = () => Promise<Readiness>;

/**
 * Adds `/livez` (200 while the process responds) and `/readyz` (200 or 503, with details, and for the
 * operator with more of them).
 */
function mountHealth(
  app: Router,
  readiness: LiveCheck,
  isOperator: (request: Request) => boolean,
): void {
  app.all("/livez", ({ request }) => guarded(request, () => json(200, { status: "ok" })), unlisted);
  app.all(
    "/readyz",
    ({ request }) =>
      guarded(request, async () => {
        const { ready, details, inside } = await readiness();
        const status = ready ? "ready" : "not_ready";
        return json(ready ? 200 : 503, {
          status,
          ...details,
          ...(isOperator(request) ? await inside() : {}),
        });
      }),
    unlisted,
  );
}

function guarded(request: Request, answer: () => Response | Promise<Response>) {
  if (request.method === "GET" || request.method === "HEAD") return answer();
  const status = request.method === "OPTIONS" ? 204 : 405;
  return new Response(null, { status, headers: { Allow: "GET, HEAD, OPTIONS" } });
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json" },
  });
}
