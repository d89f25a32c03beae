// What bodies hold while they arrive is bounded, and no sender takes what another needs. Told over real
// sockets by a server that answers how many bytes it received.

import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";

import { Bodies, type BodyTerms, unreadReply } from "#platform/http/intake/bodies.ts";

const MIB = 1_048_576;
/** Which sender a request of these tests plays. */
const SENDER = "x-sender";
/** An address that is not counted, as that of this machine. */
const UNCOUNTED = "127.0.0.1";

/** Receives every body on these terms; the audience and the address are what the sender says. */
function serveBodies(terms: Omit<BodyTerms, "audience">) {
  const bodies = new Bodies((request) => {
    const sender = request.headers.get(SENDER) ?? "";
    return sender === UNCOUNTED ? null : sender;
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    maxRequestBodySize: 64 * MIB,
    fetch: async (request) => {
      const audience = audiences[new URL(request.url).pathname] ?? "keyless";
      const received = await bodies.receive(request, { ...terms, audience });
      if (typeof received === "string") return new Response(received, unreadReply(received));
      return new Response(String(received.byteLength));
    },
  });
  return { port: server.port ?? 0, [Symbol.asyncDispose]: () => server.stop(true) };
}

const audiences: Readonly<Record<string, BodyTerms["audience"]>> = {
  "/secret": "secret",
  "/public": "public",
};

/** A request whose body is sent piece by piece. */
class Sender {
  readonly #socket: Socket;
  /** The answer with its headers, once the server has sent all of it or closed. */
  readonly answer: Promise<string>;

  constructor(port: number, { path = "/", sender = "192.0.2.1", length = "" }) {
    this.#socket = connect(port, "127.0.0.1");
    const size = length === "" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
    this.#socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${SENDER}: ${sender}\r\n${size}\r\n\r\n`,
    );
    this.answer = new Promise((resolve) => {
      let text = "";
      this.#socket.on("data", (chunk) => {
        text += chunk.toString("latin1");
      });
      // The server closes without reading the rest.
      this.#socket.on("error", () => resolve(text));
      this.#socket.on("close", () => resolve(text));
    });
  }

  /** Sends a piece of a chunked body. */
  async send(bytes: number): Promise<void> {
    await this.raw(`${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`);
  }

  raw(text: string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(text, () => resolve()));
  }

  /** Ends the body and returns the answer. */
  async end(): Promise<string> {
    await this.raw("0\r\n\r\n");
    return this.answer;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

const generous = { bytesMax: 32 * MIB, withinMs: null };

/** Repeats a request until its answer is the wanted one: other bodies are still arriving. */
async function until(wanted: string, ask: () => Promise<string>): Promise<string> {
  const answer = await ask();
  return answer.startsWith(`HTTP/1.1 ${wanted}`) ? answer : until(wanted, ask);
}

async function whole(port: number, options: { path?: string; sender?: string }): Promise<string> {
  using sender = new Sender(port, options);
  await sender.send(10);
  return await sender.end();
}

describe("a body", () => {
  test("is counted while it arrives, and cut beyond its bound", async () => {
    await using server = serveBodies({ bytesMax: MIB, withinMs: null });
    using sender = new Sender(server.port, {});
    for (let sent = 0; sent <= MIB; sent += 65_536) await sender.send(65_536);

    expect(await sender.answer).toStartWith("HTTP/1.1 413 ");
  });

  test("of exactly its bound is received", async () => {
    await using server = serveBodies({ bytesMax: MIB, withinMs: null });
    using sender = new Sender(server.port, {});
    await sender.send(MIB);

    expect(await sender.end()).toEndWith(`\r\n\r\n${MIB}`);
  });

  test.each(["", "100"])("that takes longer than its time is cut (length %p)", async (length) => {
    await using server = serveBodies({ bytesMax: MIB, withinMs: 20 });
    using sender = new Sender(server.port, { length });

    expect(await sender.answer).toStartWith("HTTP/1.1 408 ");
  });

  test("that announces too much is refused before a byte of it", async () => {
    await using server = serveBodies({ bytesMax: MIB, withinMs: null });
    using sender = new Sender(server.port, { length: String(MIB + 1) });

    expect(await sender.answer).toStartWith("HTTP/1.1 413 ");
  });
});

describe("an address without a key", () => {
  test("has at most four unfinished bodies, and other addresses have theirs", async () => {
    await using server = serveBodies(generous);
    using open = new DisposableStack();
    const [first] = Array.from({ length: 4 }, () => open.use(new Sender(server.port, {})));

    const refused = await until("503", () => whole(server.port, {}));
    const elsewhere = await whole(server.port, { sender: "192.0.2.2" });
    const finished = await first?.end();

    expect(refused).toContain("Retry-After: 1\r\n");
    expect(elsewhere).toEndWith("\r\n\r\n10");
    expect(finished).toEndWith("\r\n\r\n0");
    expect(await whole(server.port, {})).toEndWith("\r\n\r\n10");
  });

  test("gives its places back when it disconnects", async () => {
    await using server = serveBodies(generous);
    const senders = Array.from({ length: 4 }, () => new Sender(server.port, {}));
    await until("503", () => whole(server.port, {}));

    for (const sender of senders) sender[Symbol.dispose]();

    expect(await until("200", () => whole(server.port, {}))).toEndWith("\r\n\r\n10");
  });

  test.each([
    ["where its address is not", "/", UNCOUNTED],
    ["with a key", "/secret", "192.0.2.1"],
    ["with a publishable key", "/public", "192.0.2.1"],
  ])("is not counted %s", async (_, path, sender) => {
    await using server = serveBodies(generous);
    using open = new DisposableStack();
    for (let count = 0; count < 20; count += 1) {
      await open.use(new Sender(server.port, { path, sender })).send(1);
    }

    expect(await whole(server.port, { path, sender })).toEndWith("\r\n\r\n10");
  });
});

describe("all bodies together", () => {
  test("count small ones whole from their beginning", async () => {
    await using server = serveBodies(generous);
    using open = new DisposableStack();
    const terms = { path: "/public", length: "65536" };
    for (let count = 0; count < 256; count += 1) open.use(new Sender(server.port, terms));

    expect(await until("503", () => whole(server.port, { path: "/public" }))).not.toBe("");
  });

  test.each([
    ["/", 16, ["/public", "/secret"]],
    ["/public", 16, ["/", "/secret"]],
    ["/secret", 32, ["/", "/public"]],
  ])("to %s hold at most %i MiB, and nothing of the others", async (path, budget, others) => {
    await using server = serveBodies(generous);
    using open = new DisposableStack();
    const held = 2 * MIB;
    for (let mib = 0; mib < budget; mib += 2) {
      const sender = `192.0.2.${mib}`;
      await open.use(new Sender(server.port, { path, sender })).send(held);
    }

    const refused = await until("503", () => whole(server.port, { path, sender: "198.51.100.1" }));

    expect(refused).toContain("Retry-After: 1\r\n");
    for (const other of others) {
      expect(await whole(server.port, { path: other })).toEndWith("\r\n\r\n10");
    }
    open.dispose();
    expect(await until("200", () => whole(server.port, { path }))).toEndWith("\r\n\r\n10");
  });
});
