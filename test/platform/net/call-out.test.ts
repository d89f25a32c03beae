// A call to a receiver that behaves: what arrives there, and what is told of its answer.

import { afterEach, describe, expect, test } from "bun:test";

import { type CallResult, openCallOut, type OutboundCall } from "#platform/net/call-out.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";

import { openRawReceiver, openReceiver } from "../../support/receivers.ts";

/** A call to this machine. */
function callTo(url: string, terms: Partial<OutboundCall> = {}): OutboundCall {
  return { url, headers: {}, body: "{}", reach: alsoLoopback, ...terms };
}

const outcomeOf = ({ status, failure }: CallResult) => ({ status, failure });

afterEach(() => {
  delete process.env["HTTP_PROXY"];
});

describe("what arrives", () => {
  test("is a POST with the given headers and the given bytes", async () => {
    await using receiver = openReceiver();
    const body = new TextEncoder().encode('{"name":"Kofi’s \u2028 🛒"}');

    await openCallOut()(
      callTo(`${receiver.url}?a=1&b=%2F`, { body, headers: { "webhook-id": "evt_1" } }),
    );

    const [arrived] = await receiver.next();
    expect(arrived?.method).toBe("POST");
    expect(arrived?.path).toBe("/hook?a=1&b=%2F");
    expect(arrived?.headers.get("webhook-id")).toBe("evt_1");
    expect(Buffer.from(arrived?.bytes ?? []).equals(body)).toBe(true);
  });

  test("is the same text in UTF-8 when the body is text", async () => {
    await using receiver = openReceiver();

    await openCallOut()(callTo(receiver.url, { body: "Kofi’s \u2028 🛒" }));

    expect(receiver.received[0]?.body).toBe("Kofi’s \u2028 🛒");
  });

  test("names the host that was written, not the address it has", async () => {
    await using receiver = openReceiver();
    const callOut = openCallOut({ resolve: () => Promise.resolve(["127.0.0.1"]) });

    await callOut(callTo(`http://Hooks.Example.:${receiver.port}/`));

    expect(receiver.received[0]?.headers.get("host")).toBe(`hooks.example:${receiver.port}`);
  });

  test("permits no coding of the answer, and no header of the call can say otherwise", async () => {
    await using receiver = openReceiver();

    await openCallOut()(
      callTo(receiver.url, { headers: { "Accept-Encoding": "gzip", Host: "other.example" } }),
    );

    const headers = receiver.received[0]?.headers;
    expect(headers?.get("accept-encoding")).toBe("identity");
    expect(headers?.get("host")).toBe(`127.0.0.1:${receiver.port}`);
  });

  test("says who calls, and keeps quiet about what it is made with", async () => {
    await using receiver = openReceiver();

    await openCallOut()(callTo(receiver.url));
    await openCallOut()(callTo(receiver.url, { headers: { "User-Agent": "Duka/2" } }));

    expect(receiver.received.map(({ headers }) => headers.get("user-agent"))).toEqual([
      "Duka",
      "Duka/2",
    ]);
  });

  test("carries no password from the URL", async () => {
    await using receiver = openReceiver();

    await openCallOut()(callTo(`http://ada:secret@127.0.0.1:${receiver.port}/`));

    expect(receiver.received[0]?.headers.has("authorization")).toBe(false);
  });

  test("comes straight from here, whatever proxy the environment names", async () => {
    await using proxy = await openRawReceiver();
    await using receiver = openReceiver();
    process.env["HTTP_PROXY"] = `http://127.0.0.1:${proxy.port}`;

    const result = await openCallOut()(callTo(receiver.url));

    expect(outcomeOf(result)).toEqual({ status: 204, failure: null });
    expect(proxy.connections).toBe(0);
  });

  test("comes over one connection as long as it is open", async () => {
    const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    await using receiver = await openRawReceiver({ request: (socket) => socket.write(answer) });
    const callOut = openCallOut();

    await callOut(callTo(`http://127.0.0.1:${receiver.port}/`));
    await callOut(callTo(`http://127.0.0.1:${receiver.port}/`));

    expect([receiver.connections, receiver.requests]).toEqual([1, 2]);
  });
});

describe("the result of an answered call", () => {
  test("has its status, headers, beginning and where it came from", async () => {
    await using receiver = openReceiver({
      answer: () => new Response("thanks", { status: 202, headers: { "retry-after": "7" } }),
    });

    const result = await openCallOut()(callTo(receiver.url));

    expect(outcomeOf(result)).toEqual({ status: 202, failure: null });
    expect(result.address).toBe("127.0.0.1");
    expect(result.headers?.get("retry-after")).toBe("7");
    expect(result.excerpt).toBe("thanks");
    expect(result.durationMs).toBeGreaterThan(0);
  });

  test("is no failure when its status is an error", async () => {
    await using receiver = openReceiver({ answer: () => new Response("no", { status: 503 }) });

    const result = await openCallOut()(callTo(receiver.url));

    expect(outcomeOf(result)).toEqual({ status: 503, failure: null });
    expect(result.excerpt).toBe("no");
  });

  test("has the first 16 KiB of the body, without half a character", async () => {
    await using receiver = openReceiver({ answer: () => new Response(`a${"é".repeat(20_000)}`) });

    const { excerpt } = await openCallOut()(callTo(receiver.url));

    expect(excerpt).toBe(`a${"é".repeat(8_191)}`);
  });

  test("has text that any store can keep", async () => {
    const bytes = Uint8Array.of(0x61, 0x00, 0xff, 0xfe, 0xed, 0xa0, 0x80, 0x62);
    await using receiver = openReceiver({ answer: () => new Response(bytes) });

    const { excerpt } = await openCallOut()(callTo(receiver.url));

    expect(excerpt).toBe(`a${"\uFFFD".repeat(6)}b`);
    expect(excerpt.isWellFormed()).toBe(true);
  });
});

describe("an address that does not accept connections", () => {
  test("leads to the next one of the same host", async () => {
    await using receiver = openReceiver();
    const callOut = openCallOut({ resolve: () => Promise.resolve(["::1", "127.0.0.1"]) });

    const result = await callOut(callTo(`http://hooks.example:${receiver.port}/`));

    expect(outcomeOf(result)).toEqual({ status: 204, failure: null });
    expect(result.address).toBe("127.0.0.1");
  });

  test("leads nowhere when it broke after it had accepted one", async () => {
    await using receiver = await openRawReceiver({ request: (socket) => socket.destroy() });
    await using second = await openRawReceiver({ host: "::1", port: receiver.port });
    const callOut = openCallOut({ resolve: () => Promise.resolve(["127.0.0.1", "::1"]) });

    const result = await callOut(callTo(`http://hooks.example:${receiver.port}/`));

    expect(outcomeOf(result)).toEqual({ status: null, failure: "reset" });
    expect([receiver.requests, second.connections]).toEqual([1, 0]);
  });
});

test("a call can be stopped by its caller", async () => {
  const stop = new AbortController();
  await using receiver = await openRawReceiver({ request: () => stop.abort() });

  const result = await openCallOut()(
    callTo(`http://127.0.0.1:${receiver.port}/`, { signal: stop.signal }),
  );

  expect(outcomeOf(result)).toEqual({ status: null, failure: "timeout" });
  await receiver.gone();
});

test("a call that was stopped before it began makes no connection", async () => {
  await using receiver = await openRawReceiver();

  const result = await openCallOut()(
    callTo(`http://127.0.0.1:${receiver.port}/`, { signal: AbortSignal.abort() }),
  );

  expect(outcomeOf(result)).toEqual({ status: null, failure: "timeout" });
  expect(receiver.connections).toBe(0);
});
