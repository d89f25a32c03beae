// Receivers that do everything a receiver should not. Each costs no more than the time of the call
// and a few kilobytes, and is told by the right name.

import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";

import { type CallResult, openCallOut } from "#platform/net/call-out.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";

import { openRawReceiver, openReceiver, pour, type RawReceiver } from "../../support/receivers.ts";

const callOut = openCallOut();
/** Longer than any test but those of silence needs. */
const PATIENT_MS = 5_000;
const IMPATIENT_MS = 300;
const OK = "HTTP/1.1 200 OK\r\n";

async function call(port: number, timeoutMs = PATIENT_MS): Promise<CallResult> {
  const url = `http://127.0.0.1:${port}/`;
  return callOut({ url, headers: {}, body: "{}", reach: alsoLoopback, timeoutMs });
}

/** A receiver that says this to every request and then hangs up. */
function saying(text: string): Promise<RawReceiver> {
  return openRawReceiver({ request: (socket) => socket.end(Buffer.from(text, "latin1")) });
}

const outcomeOf = ({ status, failure }: CallResult) => ({ status, failure });

describe("a receiver that does not answer", () => {
  test("because its port is closed is a failed connection", async () => {
    const closed = await openRawReceiver();
    await closed[Symbol.asyncDispose]();

    const result = await call(closed.port);

    expect(outcomeOf(result)).toEqual({ status: null, failure: "connect" });
    expect(result.address).toBe("127.0.0.1");
  });

  test("but accepts is waited for, and let go of", async () => {
    await using receiver = await openRawReceiver();

    const result = await call(receiver.port, IMPATIENT_MS);

    expect(outcomeOf(result)).toEqual({ status: null, failure: "timeout" });
    await receiver.gone();
  });

  test.each<[string, (socket: Socket) => void]>([
    ["closes", (socket) => socket.end()],
    ["resets", (socket) => socket.resetAndDestroy()],
    ["breaks off in the status line", (socket) => socket.end("HTTP/1.1 20")],
    ["breaks off in the headers", (socket) => socket.end(`${OK}Content-Length: 5\r\n`)],
  ])("but %s is a reset, and is not asked twice", async (_, request) => {
    await using receiver = await openRawReceiver({ request });

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: null, failure: "reset" });
    expect(receiver.requests).toBe(1);
  });

  test("before the time is over is too late afterwards", async () => {
    const late = Promise.withResolvers<Socket>();
    await using slow = await openRawReceiver({ request: late.resolve });

    const result = await call(slow.port, IMPATIENT_MS);
    (await late.promise).write(`${OK}Content-Length: 0\r\n\r\n`);
    await slow.gone();

    expect(outcomeOf(result)).toEqual({ status: null, failure: "timeout" });
  });

  test("at once but in time is heard", async () => {
    await using receiver = openReceiver({
      // A receiver that takes its time.
      answer: () => Bun.sleep(100).then(() => new Response("ok")),
    });

    expect(outcomeOf(await call(receiver.port))).toEqual({ status: 200, failure: null });
  });
});

describe("a body", () => {
  test.each([
    ["that is shorter than announced", "Content-Length: 50\r\n\r\nabc"],
    ["whose chunk is cut", "Transfer-Encoding: chunked\r\n\r\n5\r\nabc"],
    ["whose last chunk is missing", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"],
  ])("%s is a reset beside its status", async (_, rest) => {
    await using receiver = await saying(OK + rest);

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: 200, failure: "reset" });
    expect(receiver.requests).toBe(1);
  });

  test("that is reset in the middle keeps its beginning", async () => {
    const pieces = `${OK}Content-Length: 50\r\n\r\nabc`;
    await using receiver = await openRawReceiver({
      request: (socket) =>
        socket.write(pieces, () => setTimeout(() => socket.resetAndDestroy(), 50)),
    });

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: 200, failure: "reset" });
    expect(result.excerpt).toBe("abc");
  });

  test("that was complete is not undone by a reset after it", async () => {
    const complete = `${OK}Content-Length: 3\r\n\r\nabc`;
    await using receiver = await openRawReceiver({
      request: (socket) =>
        socket.write(complete, () => setTimeout(() => socket.resetAndDestroy(), 50)),
    });

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: 200, failure: null });
  });

  test("that comes one byte at a time runs out of time, whatever its status", async () => {
    await using receiver = await openRawReceiver({
      request: (socket) => {
        socket.write(`${OK}Content-Length: 60000\r\n\r\n`);
        const timer = setInterval(() => socket.write("a"), 20);
        socket.on("close", () => clearInterval(timer));
      },
    });

    const result = await call(receiver.port, IMPATIENT_MS);

    expect(outcomeOf(result)).toEqual({ status: 200, failure: "timeout" });
    expect(result.excerpt).toMatch(/^a+$/);
    await receiver.gone();
  });

  test("of a gigabyte is no failure, and hardly any of it is read", async () => {
    const GIGABYTE = 1_073_741_824;
    let poured = Promise.resolve(0);
    await using receiver = await openRawReceiver({
      request: (socket) => {
        socket.write(`${OK}Content-Length: ${GIGABYTE}\r\n\r\n`);
        poured = pour(socket, Buffer.alloc(65_536, "a"), GIGABYTE);
      },
    });

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: 200, failure: null });
    expect(result.excerpt).toBe("a".repeat(16_384));
    expect(await poured).toBeLessThan(GIGABYTE / 16);
  });

  test("without an end is no failure once enough of it was read", async () => {
    let poured = Promise.resolve(0);
    await using receiver = await openRawReceiver({
      request: (socket) => {
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`);
        poured = pour(socket, Buffer.from(`1000\r\n${"a".repeat(4_096)}\r\n`), 1_073_741_824);
      },
    });

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: 200, failure: null });
    expect(await poured).toBeLessThan(67_108_864);
  });

  test("that would grow a thousandfold is not unpacked", async () => {
    const bomb = Bun.gzipSync(new Uint8Array(52_428_800));
    await using receiver = openReceiver({
      answer: () => new Response(bomb, { headers: { "content-encoding": "gzip" } }),
    });

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: 200, failure: null });
    expect(result.headers?.get("content-encoding")).toBe("gzip");
    expect(result.excerpt.codePointAt(0)).toBe(0x1f);
    expect(result.excerpt.length).toBeLessThanOrEqual(16_384);
  });
});

describe("headers", () => {
  test("that are one endless line are too large", async () => {
    let poured = Promise.resolve(0);
    await using receiver = await openRawReceiver({
      request: (socket) => {
        socket.write(`${OK}x: `);
        poured = pour(socket, Buffer.alloc(4_096, "a"), 1_073_741_824);
      },
    });

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: null, failure: "too_large" });
    expect(await poured).toBeLessThan(67_108_864);
  });

  test("that are endlessly many are no HTTP", async () => {
    let poured = Promise.resolve(0);
    await using receiver = await openRawReceiver({
      request: (socket) => {
        socket.write(OK);
        poured = pour(socket, Buffer.from("x: a\r\n".repeat(500)), 1_073_741_824);
      },
    });

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: null, failure: "protocol" });
    expect(await poured).toBeLessThan(67_108_864);
  });

  test.each<[string, string, string]>([
    ["come one byte at a time", OK, "a"],
    ["are promised again and again", "", "HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n"],
  ])("that %s run out of time", async (_, opening, piece) => {
    await using receiver = await openRawReceiver({
      request: (socket) => {
        const timer = setInterval(() => socket.write(piece), 20);
        socket.write(`${opening}${piece}`);
        socket.on("close", () => clearInterval(timer));
      },
    });

    const result = await call(receiver.port, IMPATIENT_MS);

    expect(outcomeOf(result)).toEqual({ status: null, failure: "timeout" });
    await receiver.gone();
  });
});

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])("of %d is an answer and is not followed", async (status) => {
    await using canary = await openRawReceiver();
    const location = `http://127.0.0.1:${canary.port}/`;
    await using receiver = openReceiver({
      answer: () => new Response(null, { status, headers: { location } }),
    });

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status, failure: null });
    expect([receiver.received.length, canary.connections]).toEqual([1, 0]);
  });

  test("to nowhere is an answer as well", async () => {
    await using receiver = await saying("HTTP/1.1 302 Found\r\nLocation: http://[bad/\r\n\r\n");

    expect(outcomeOf(await call(receiver.port))).toEqual({ status: 302, failure: null });
  });
});

describe("an answer", () => {
  test.each<[string, number, string]>([
    ["204 without a body", 204, "HTTP/1.1 204 No Content\r\n\r\n"],
    [
      "204 with a body that it must not have",
      204,
      "HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\nabc",
    ],
    ["299", 299, "HTTP/1.1 299 Fine\r\nContent-Length: 0\r\n\r\n"],
    ["410", 410, "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"],
    ["999", 999, "HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n"],
    ["200 of HTTP/1.0", 200, "HTTP/1.0 200 OK\r\n\r\nabc"],
    ["200 that ends with its connection", 200, `${OK}\r\nabc`],
    ["200 after a 100", 200, `HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 0\r\n\r\n`],
    ["200 with bytes beyond ASCII in a header", 200, `${OK}x: \xe9\r\nContent-Length: 0\r\n\r\n`],
  ])("of %s has its status", async (_, status, text) => {
    await using receiver = await saying(text);

    expect(outcomeOf(await call(receiver.port))).toEqual({ status, failure: null });
  });

  test.each<[string, string]>([
    ["a status that is no number", "HTTP/1.1 abc OK\r\n\r\n"],
    ["status 99", "HTTP/1.1 99 OK\r\nContent-Length: 0\r\n\r\n"],
    ["status 000", "HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n"],
    ["status 1000", "HTTP/1.1 1000 OK\r\nContent-Length: 0\r\n\r\n"],
    ["a version that was not requested", "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n"],
    ["another protocol", "SSH-2.0-OpenSSH_9.9\r\n"],
    ["a header that is none", `${OK}bad header line\r\n\r\n`],
    ["NUL in a header", `${OK}x: a\0b\r\nContent-Length: 0\r\n\r\n`],
    ["a negative length", `${OK}Content-Length: -5\r\n\r\nabc`],
    ["two lengths", `${OK}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\n\r\nabc"],
  ])("of %s is no HTTP", async (_, text) => {
    await using receiver = await saying(text);

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: null, failure: "protocol" });
    expect(receiver.requests).toBe(1);
  });

  test("whose chunks have no size is no HTTP beside its status", async () => {
    await using receiver = await saying(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n`);

    const result = await call(receiver.port);

    expect(outcomeOf(result)).toEqual({ status: 200, failure: "protocol" });
  });
});

describe("a connection that was kept", () => {
  test("and closed between two calls is opened again", async () => {
    const answer = `${OK}Content-Length: 0\r\n\r\n`;
    await using receiver = await openRawReceiver({ request: (socket) => socket.end(answer) });

    const first = await call(receiver.port);
    await receiver.gone();
    const second = await call(receiver.port);

    expect([first.status, second.status]).toEqual([200, 200]);
    expect([receiver.connections, receiver.requests]).toEqual([2, 2]);
  });

  test("and closed during the second call is a reset, and the call is not sent again", async () => {
    await using receiver = await openRawReceiver({
      request: (socket, nth) =>
        nth === 1 ? socket.write(`${OK}Content-Length: 0\r\n\r\n`) : socket.destroy(),
    });

    await call(receiver.port);
    const second = await call(receiver.port);

    expect(outcomeOf(second)).toEqual({ status: null, failure: "reset" });
    expect([receiver.connections, receiver.requests]).toEqual([1, 2]);
  });
});
