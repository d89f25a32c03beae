// Requests of the command line: any address, and sentences when they fail.

import { describe, expect, test } from "bun:test";

import { callAnywhere, type PlainCall } from "#platform/net/call-anywhere.ts";

import { makeCertificates } from "../../support/certificates.ts";
import { openRawReceiver, openReceiver } from "../../support/receivers.ts";

function callTo(url: string, terms: Partial<PlainCall> = {}): PlainCall {
  return { method: "GET", url, headers: {}, timeoutMs: 5_000, ...terms };
}

/** The sentence that tells why no answer came. */
function sentenceOf(call: PlainCall): Promise<string> {
  return callAnywhere(call).then(
    ({ status }) => `It was answered ${status}.`,
    (error) => (error instanceof Error ? error.message : "It is no error."),
  );
}

test("a request is answered with status, headers and text", async () => {
  await using receiver = openReceiver({
    answer: ({ method, body }) =>
      new Response(`${method} ${body}`, { status: 418, headers: { "x-shop": "Duka" } }),
  });

  const answer = await callAnywhere(
    callTo(receiver.url, { method: "PUT", body: "tea", headers: { authorization: "Bearer key" } }),
  );

  expect([answer.status, answer.text]).toEqual([418, "PUT tea"]);
  expect(answer.headers.get("x-shop")).toBe("Duka");
  expect(receiver.received[0]?.headers.get("authorization")).toBe("Bearer key");
});

test("a redirect is an answer", async () => {
  await using canary = await openRawReceiver();
  await using receiver = openReceiver({
    answer: () => Response.redirect(`http://127.0.0.1:${canary.port}/`, 307),
  });

  const answer = await callAnywhere(callTo(receiver.url));

  expect([answer.status, canary.connections]).toEqual([307, 0]);
});

describe("the sentence of a fault says that a server", () => {
  test("does not accept connections", async () => {
    const closed = await openRawReceiver();
    await closed[Symbol.asyncDispose]();

    const sentence = await sentenceOf(callTo(`http://127.0.0.1:${closed.port}/secret`));

    expect(sentence).toContain(`127.0.0.1:${closed.port} does not accept connections.`);
  });

  test("does not exist", async () => {
    const sentence = await sentenceOf(callTo(`http://${"a".repeat(64)}.example/`));

    expect(sentence).toContain("has no known address.");
  });

  test("does not answer in time", async () => {
    await using receiver = await openRawReceiver();

    const sentence = await sentenceOf(
      callTo(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: 200 }),
    );

    expect(sentence).toContain(`127.0.0.1:${receiver.port} did not answer in time.`);
  });

  test("broke off its answer", async () => {
    const short = "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabc";
    await using receiver = await openRawReceiver({ request: (socket) => socket.end(short) });

    const sentence = await sentenceOf(
      callTo(`http://127.0.0.1:${receiver.port}/`, { method: "POST", body: "{}" }),
    );

    expect(sentence).toContain("closed the connection.");
  });

  test("cannot be believed", async () => {
    const { selfSigned } = makeCertificates();
    await using receiver = await openRawReceiver({ certificate: selfSigned });

    const sentence = await sentenceOf(callTo(`https://127.0.0.1:${receiver.port}/`));

    expect(sentence).toContain("has no trusted certificate.");
  });
});

test("a request that is stopped says so", async () => {
  const stop = new AbortController();
  await using receiver = await openRawReceiver({ request: () => stop.abort() });

  const sentence = await sentenceOf(
    callTo(`http://127.0.0.1:${receiver.port}/`, {
      method: "POST",
      body: "{}",
      signal: stop.signal,
    }),
  );

  expect(sentence).toContain("The request was cancelled.");
});

test.each(["", "localhost:4000", "ftp://shop.example", "file:///etc/passwd"])(
  "%p is no URL to call",
  async (url) => {
    expect(await sentenceOf(callTo(url))).toContain("The URL must be complete");
  },
);
