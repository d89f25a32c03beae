// The address of a vendor on loopback. Its answers may break off, hang or drip, as the fault engine says, and it may
// be down. node:http and not Bun.serve, which cannot break a connection off before the head of an answer.

import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A request as it arrived at a vendor. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The way of the bytes of a reply. `down`: the connection breaks, and the vendor takes no other until it is up. */
export type Travel =
  | { readonly kind: "whole" | "hang" | "reset" | "down" }
  | { readonly kind: "cut"; readonly afterBytes: number }
  | { readonly kind: "drip"; readonly everyMs: number };

export interface Sent {
  readonly reply: Reply;
  readonly travel: Travel;
}

export class VendorServer implements AsyncDisposable {
  /** Answers requests; may be replaced between two of them. */
  answer: (asked: Asked) => Promise<Sent>;
  readonly #asked: Asked[] = [];
  #server: Server;
  #port: number;

  /** Without a port the system chooses one. */
  constructor(answer: (asked: Asked) => Promise<Sent>, port = 0) {
    this.answer = answer;
    this.#port = port;
    this.#server = this.#newServer();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** All requests that arrived, oldest first. */
  get asked(): readonly Asked[] {
    return this.#asked;
  }

  /** Takes connections, after a time down at the same port as before. */
  async up(): Promise<void> {
    if (this.#server.listening) return;
    this.#server = this.#newServer();
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (typeof address === "object" && address !== null) this.#port = address.port;
  }

  /** Breaks all connections off and refuses others until it is up again. */
  async down(): Promise<void> {
    const server = this.#server;
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.down();
  }

  #newServer(): Server {
    return createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        if (response.headersSent) return void response.destroy();
        // A fault of the face itself: no vendor answers like this.
        response.writeHead(599, { "content-type": "text/plain" });
        response.end(error instanceof Error ? error.stack : String(error));
      });
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request);
    this.#asked.push(asked);
    const { reply, travel } = await this.answer(asked);
    switch (travel.kind) {
      case "hang":
        return;
      case "reset":
        request.socket.destroy();
        return;
      case "down":
        await this.down();
        return;
      default:
        await send(response, reply, travel);
        if (travel.kind === "cut") request.socket.destroy();
    }
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname, search } = new URL(request.url ?? "/", "http://127.0.0.1");
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  return {
    method: request.method ?? "",
    path: pathname,
    query: search.slice(1),
    headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

async function send(response: ServerResponse, reply: Reply, travel: Travel): Promise<void> {
  const bytes = Buffer.from(reply.body, "utf8");
  response.writeHead(reply.status, { ...reply.headers, "content-length": String(bytes.length) });
  if (travel.kind === "drip") {
    for (const byte of bytes) {
      if (response.destroyed) return;
      response.write(Buffer.of(byte));
      await Bun.sleep(travel.everyMs);
    }
    response.end();
    return;
  }
  if (travel.kind === "cut") {
    const part = bytes.subarray(0, Math.min(travel.afterBytes, bytes.length - 1));
    await new Promise<void>((resolve) => response.write(part, () => resolve()));
    return;
  }
  response.end(bytes);
}
