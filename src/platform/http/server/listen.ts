// The HTTP server. It listens with what the operator reads alone, which needs no router; what it serves is loaded then,
// and requests for that wait until it is.

import type { Shop } from "#platform/database/shop.ts";
import { requestIdOf } from "#platform/http/request-head.ts";
import type { RouteContext, Router } from "#platform/http/router.ts";
import { lazy } from "#platform/process/lazy.ts";

import { everyRequest, type Responder } from "./every-request.ts";
import { type LiveCheck, mountHealth } from "./health.ts";
import { Listener } from "./listener.ts";
import type { ServedOptions } from "./served.ts";

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
  /** True if this server terminates TLS and may therefore send HSTS. */
  readonly endsTls: boolean;
  /** Called with the end of its validity when a new certificate is in use. */
  readonly onRenewed?: (validTo: string) => void;
  /** Called when a new certificate cannot be used; the earlier one stays in use. */
  readonly onCertificateFault?: (error: unknown) => void;
}

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Loads what is served, and throws if that fails; the first request does so, too. */
  load(): Promise<void>;
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
  const { host, port, tls, endsTls } = options;
  const listener = new Listener({
    host,
    port,
    tls,
    handlers: {
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: RECEIVED_BYTES_MAX,
      ...everyRequest(async (request) => (await served())(request), {
        endsTls,
        exact: operatorPaths(options, { peerOf, served }),
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
