// Questions to other programs, such as gateways: what arrives there, what is told of the answer, and which failures
// prove that nothing was sent.

import { beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

import { type Ask, openAsk, type Question, type Reply } from "#platform/net/ask.ts";
import { alsoLoopback, onlyPublic, type Resolve } from "#platform/net/target-url.ts";

import { type Certificates, makeCertificates } from "../../support/certificates.ts";
import { openRawReceiver, openReceiver } from "../../support/receivers.ts";

const WHOLE_BYTES_MAX = 4_194_304;
const here: Resolve = () => Promise.resolve(["127.0.0.1"]);

/** A question to this machine. */
function questionTo(url: string, terms: Partial<Question> = {}): Question {
  return {
    method: "POST",
    url,
    headers: {},
    body: { type: "application/json", content: "{}" },
    reach: alsoLoopback,
    reads: "whole",
    timeoutMs: 5_000,
    ...terms,
  };
}

const ask = openAsk();
const textOf = ({ bytes }: Reply) => new TextDecoder().decode(bytes);
const failureOf = (reply: Reply) =>
  reply.failure === null ? null : { failure: reply.failure, isSent: reply.isSent };

describe("what arrives", () => {
  test.each(["POST", "PUT"] as const)("is a %s with the body as it was given", async (method) => {
    await using receiver = openReceiver();

    await ask(questionTo(receiver.url, { method }));

    const [arrived] = await receiver.next();
    expect([arrived?.method, arrived?.body]).toEqual([method, "{}"]);
    expect(arrived?.headers.get("content-type")).toBe("application/json");
  });

  test("is a form where the body is one", async () => {
    await using receiver = openReceiver();
    const content = new URLSearchParams({ "metadata[order]": "1042 & more" }).toString();

    await ask(
      questionTo(receiver.url, { body: { type: "application/x-www-form-urlencoded", content } }),
    );

    const [arrived] = await receiver.next();
    expect(arrived?.body).toBe("metadata%5Border%5D=1042+%26+more");
    expect(arrived?.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
  });

  test("is a GET without a body, with the headers that were given", async () => {
    await using receiver = openReceiver();

    await ask(
      questionTo(`${receiver.url}?page=2`, {
        method: "GET",
        body: null,
        headers: { Authorization: "Bearer secret" },
      }),
    );

    const [arrived] = await receiver.next();
    expect([arrived?.method, arrived?.path, arrived?.body]).toEqual(["GET", "/hook?page=2", ""]);
    expect(arrived?.headers.get("authorization")).toBe("Bearer secret");
    expect(arrived?.headers.get("content-type")).toBeNull();
  });
});

describe("of an answer", () => {
  test("status, headers and the whole body are told", async () => {
    await using receiver = openReceiver({
      answer: () => new Response("Kofi’s 🛒", { status: 402, headers: { "request-id": "req_1" } }),
    });

    const reply = await ask(questionTo(receiver.url));

    expect([reply.failure, reply.status, textOf(reply)]).toEqual([null, 402, "Kofi’s 🛒"]);
    expect(reply.headers?.get("request-id")).toBe("req_1");
  });

  test("a body of 4 MiB is read to its end", async () => {
    await using receiver = openReceiver({
      answer: () => new Response("a".repeat(WHOLE_BYTES_MAX)),
    });

    const reply = await ask(questionTo(receiver.url));

    expect([reply.failure, reply.bytes.length]).toEqual([null, WHOLE_BYTES_MAX]);
  });

  test("a body that is a byte larger is a failure", async () => {
    await using receiver = openReceiver({
      answer: () => new Response("a".repeat(WHOLE_BYTES_MAX + 1)),
    });

    const reply = await ask(questionTo(receiver.url));

    expect(failureOf(reply)).toEqual({ failure: "too_large", isSent: true });
  });

  test.each([
    ["a byte that is no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
    ["a character that is cut", new Uint8Array([0x22, 0xe2, 0x80])],
    ["packed bytes, which were not asked for", Bun.gzipSync(new Uint8Array(64))],
  ])("a body with %s is a failure", async (_, bytes) => {
    await using receiver = openReceiver({ answer: () => new Response(bytes) });

    const reply = await ask(questionTo(receiver.url));

    expect(failureOf(reply)).toEqual({ failure: "protocol", isSent: true });
  });

  test("a body that ends early is a failure", async () => {
    await using receiver = await openRawReceiver({
      request: (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{}"),
    });

    const reply = await ask(questionTo(`http://127.0.0.1:${receiver.port}/`));

    expect(failureOf(reply)).toEqual({ failure: "reset", isSent: true });
  });

  test("a redirect is told and not followed", async () => {
    await using elsewhere = openReceiver();
    await using receiver = openReceiver({ answer: () => Response.redirect(elsewhere.url, 307) });

    const reply = await ask(questionTo(receiver.url));

    expect([reply.failure, reply.status, elsewhere.received.length]).toEqual([null, 307, 0]);
  });
});

describe("nothing was sent, provably, where", () => {
  let certificates: Certificates;
  let askByName: Ask;

  beforeAll(() => {
    certificates = makeCertificates();
    askByName = openAsk({ resolve: here, tlsAuthorities: [certificates.authority] });
  });

  test("the port is closed", async () => {
    const closed = await openRawReceiver();
    await closed[Symbol.asyncDispose]();

    const reply = await ask(questionTo(`http://127.0.0.1:${closed.port}/`));

    expect(failureOf(reply)).toEqual({ failure: "connect", isSent: false });
  });

  test("the name has no address", async () => {
    const lost = openAsk({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });

    const reply = await lost(questionTo("https://api.example/"));

    expect(failureOf(reply)).toEqual({ failure: "dns", isSent: false });
  });

  test("the address may not be called", async () => {
    await using receiver = await openRawReceiver();

    const reply = await ask(
      questionTo(`https://127.0.0.1:${receiver.port}/`, { reach: onlyPublic }),
    );

    expect(failureOf(reply)).toEqual({ failure: "blocked_address", isSent: false });
    expect(receiver.connections).toBe(0);
  });

  test.each(["expired", "wrongName", "selfSigned"] as const)(
    "the certificate is %s",
    async (kind) => {
      await using receiver = await openRawReceiver({ certificate: certificates[kind] });

      const reply = await askByName(questionTo(`https://hooks.example:${receiver.port}/`));

      expect(failureOf(reply)).toEqual({ failure: "tls", isSent: false });
      expect(receiver.requests).toBe(0);
    },
  );

  test("but not where TLS breaks after a request was written", async () => {
    let cut = () => {};
    await using receiver = await openRawReceiver({
      certificate: certificates.good,
      request: () => cut(),
    });
    await using relay = await openRelay(receiver.port, (client) => {
      // A fatal alert in the clear, as a broken box on the way might send it.
      cut = () => client.end(Buffer.from("15030300020228", "hex"));
    });

    const reply = await askByName(questionTo(`https://hooks.example:${relay.port}/`));

    expect(receiver.requests).toBe(1);
    expect(failureOf(reply)).toEqual({ failure: "tls", isSent: true });
  });
});

describe("it may have been sent where the other side", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["closes", (socket) => socket.end()],
    ["resets", (socket) => socket.resetAndDestroy()],
    ["says something that is no HTTP", (socket) => socket.end("220 mail.example ESMTP\r\n\r\n")],
  ])("%s", async (_, request) => {
    await using receiver = await openRawReceiver({ request });

    const reply = await ask(questionTo(`http://127.0.0.1:${receiver.port}/`));

    expect(failureOf(reply)).toMatchObject({ isSent: true });
    expect(receiver.requests).toBe(1);
  });

  test("does not answer in time", async () => {
    await using receiver = await openRawReceiver();

    const reply = await ask(questionTo(`http://127.0.0.1:${receiver.port}/`, { timeoutMs: 200 }));

    expect(failureOf(reply)).toEqual({ failure: "timeout", isSent: true });
    await receiver.gone();
  });

  test("did not answer before the caller gave up", async () => {
    const caller = new AbortController();
    await using receiver = await openRawReceiver({ request: () => caller.abort() });

    const reply = await ask(
      questionTo(`http://127.0.0.1:${receiver.port}/`, { signal: caller.signal }),
    );

    expect(failureOf(reply)).toEqual({ failure: "timeout", isSent: true });
    await receiver.gone();
  });
});

/** Passes bytes on in both directions, to cut into an encrypted connection. */
async function openRelay(port: number, accept: (client: Socket) => void) {
  const server = createServer((client) => {
    const onward = connect(port, "127.0.0.1");
    client.on("data", (bytes) => onward.write(bytes));
    onward.on("data", (bytes) => client.write(bytes));
    for (const socket of [client, onward]) {
      // They are cut on purpose.
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        onward.destroy();
      });
    }
    accept(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, "close");
    },
  };
}
