// The receivers: a process of its own that takes messages over raw sockets, so that it costs less than
// what it measures. What is sent to `/dead` is taken and never answered. Prints two ports: the
// receivers', and the one at which it is asked (GET) how many have arrived, or (POST) for all of them
// since it was asked last.

import type { Socket } from "bun";

export interface Arrival {
  readonly path: string;
  /** When its first byte came, epoch milliseconds. */
  readonly at: number;
  /** From the event's instant, just before its commit, to the first byte, milliseconds. */
  readonly delayMs: number;
}

let arrivals: Arrival[] = [];
const now = () => performance.timeOrigin + performance.now();
const TAKEN = "HTTP/1.1 204 No Content\r\n\r\n";

/** One connection: a request after the other. */
class Incoming {
  #chunks: Buffer[] = [];
  #firstAt = 0;
  #length = 0;
  #wanted = 0;
  #head = "";

  /** Whether this completes a request that wants an answer. */
  take(chunk: Buffer): boolean {
    if (this.#chunks.length === 0) this.#firstAt = now();
    this.#chunks.push(Buffer.from(chunk));
    this.#length += chunk.length;
    if (this.#wanted === 0) this.#readHead();
    if (this.#wanted === 0 || this.#length < this.#wanted) return false;
    const path = this.#head.slice(5, this.#head.indexOf(" ", 5));
    if (path.startsWith("/dead")) return false;
    const text = Buffer.concat(this.#chunks).toString("latin1");
    const createdAt = Date.parse(/"created_at":"([^"]+)"/.exec(text)?.[1] ?? "");
    arrivals.push({ path, at: this.#firstAt, delayMs: this.#firstAt - createdAt });
    this.#chunks = [];
    this.#length = 0;
    this.#wanted = 0;
    return true;
  }

  #readHead(): void {
    const text = Buffer.concat(this.#chunks).toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    if (end === -1) return;
    this.#head = text.slice(0, end);
    this.#wanted = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1] ?? "0");
  }
}

const receivers = Bun.listen<Incoming>({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open(socket: Socket<Incoming>) {
      socket.data = new Incoming();
    },
    data(socket, chunk) {
      if (socket.data.take(chunk)) socket.write(TAKEN);
    },
  },
});

const asked = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    if (request.method === "GET") return new Response(String(arrivals.length));
    const told = arrivals;
    arrivals = [];
    return Response.json(told);
  },
});

console.log(`${receivers.port} ${asked.port}`);
