// HTTP receivers on loopback: one that records every request, for tests that deliver something, and raw ones
// that may break every rule of HTTP.

import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";

import type { Certificate } from "./certificates.ts";

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  /** The exact body, which the signature covers. */
  readonly bytes: Uint8Array;
  /** When its last byte had arrived, in epoch milliseconds. */
  readonly at: number;
}

export interface ReceiverTerms {
  /** The answer to a request; `nth` counts from 1. Default 204. */
  readonly answer?: (request: Received, nth: number) => Response | Promise<Response>;
  /** The port, to reopen a closed receiver. Default: any free port. */
  readonly port?: number;
}

export interface Receiver extends AsyncDisposable {
  /** The URL on 127.0.0.1 over plain HTTP, with a path. */
  readonly url: string;
  readonly port: number;
  /** All requests, oldest first. */
  readonly received: readonly Received[];
  /**
   * The next `count` requests that no earlier `next` has returned, including those that arrived before the
   * call.
   */
  next(count?: number): Promise<readonly Received[]>;
}

interface Wait {
  readonly count: number;
  readonly resolve: (arrived: readonly Received[]) => void;
}

/** Opens a receiver; disposing it cuts every connection it has. */
export function openReceiver(terms: ReceiverTerms = {}): Receiver {
  const received: Received[] = [];
  const waits: Wait[] = [];
  let handedOut = 0;
  const handOut = () => {
    for (let wait = waits[0]; wait !== undefined; wait = waits[0]) {
      if (received.length - handedOut < wait.count) return;
      waits.shift();
      wait.resolve(received.slice(handedOut, handedOut + wait.count));
      handedOut += wait.count;
    }
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: terms.port ?? 0,
    idleTimeout: 0,
    development: false,
    fetch: async (request) => {
      const arrived = await receive(request);
      const nth = received.push(arrived);
      handOut();
      return terms.answer?.(arrived, nth) ?? new Response(null, { status: 204 });
    },
  });
  const port = server.port ?? 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    next: (count = 1) =>
      new Promise((resolve) => {
        waits.push({ count, resolve });
        handOut();
      }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

async function receive(request: Request): Promise<Received> {
  const bytes = await request.bytes();
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: `${pathname}${search}`,
    headers: request.headers,
    body: new TextDecoder().decode(bytes),
    bytes,
    at: Date.now(),
  };
}

export interface RawTerms {
  /** Called for each new connection. */
  readonly accept?: (socket: Socket) => void;
  /** Called when a request begins to arrive; `nth` counts from 1 over all connections. */
  readonly request?: (socket: Socket, nth: number) => void;
  /** Speaks TLS with this certificate. */
  readonly certificate?: Certificate;
  /** The address; default 127.0.0.1 and any free port. */
  readonly host?: string;
  readonly port?: number;
}

/** What a raw receiver has counted. */
export interface RawReceiver extends AsyncDisposable {
  readonly port: number;
  /** How many connections were accepted. */
  readonly connections: number;
  /** How many requests began to arrive. */
  readonly requests: number;
  /** The TLS server names that clients requested, one per connection. */
  readonly serverNames: readonly string[];
  /** Resolves when no connection is open. */
  gone(): Promise<void>;
}

/** Opens a receiver that answers only what the test makes it answer. */
export async function openRawReceiver(terms: RawTerms = {}): Promise<RawReceiver> {
  const open = new Set<Socket>();
  const serverNames: string[] = [];
  let connections = 0;
  let requests = 0;
  const accept = (socket: Socket) => {
    connections += 1;
    open.add(socket);
    // Tests cut these sockets on purpose: errors are expected.
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.on("data", (chunk) => {
      if (!/^POST /m.test(chunk.toString("latin1"))) return;
      requests += 1;
      terms.request?.(socket, requests);
    });
    terms.accept?.(socket);
  };
  const acceptTls = (socket: TLSSocket) => {
    serverNames.push(String(socket.servername));
    accept(socket);
  };
  const server =
    terms.certificate === undefined
      ? createServer(accept)
      : createTlsServer({ ...terms.certificate }, acceptTls).on("tlsClientError", () => {});
  server.listen(terms.port ?? 0, terms.host ?? "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    serverNames,
    get connections() {
      return connections;
    },
    get requests() {
      return requests;
    },
    gone: async () => {
      await Promise.all([...open].map(socketClosed));
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Resolves when the socket is closed by either side. */
function socketClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
}

/**
 * Writes as fast as the other side reads, until it closes or `bytesMax` are written. Returns the number of
 * bytes written.
 */
export async function pour(socket: Socket, chunk: Uint8Array, bytesMax: number): Promise<number> {
  const closed = socketClosed(socket);
  let written = 0;
  while (socket.writable && written < bytesMax) {
    written += chunk.length;
    if (socket.write(chunk)) continue;
    await Promise.race([closed, new Promise<void>((resolve) => socket.once("drain", resolve))]);
  }
  return written;
}
