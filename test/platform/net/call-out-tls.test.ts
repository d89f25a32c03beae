// Receivers whose TLS is not what it should be get nothing to read.

import { afterEach, beforeAll, describe, expect, test } from "bun:test";

import { type CallOut, openCallOut } from "#platform/net/call-out.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";

import { type Certificates, makeCertificates } from "../../support/certificates.ts";
import { openRawReceiver, type RawTerms } from "../../support/receivers.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

let certificates: Certificates;
let callOut: CallOut;

beforeAll(async () => {
  certificates = makeCertificates();
  callOut = openCallOut({
    resolve: () => Promise.resolve(["127.0.0.1"]),
    tlsAuthorities: [certificates.authority],
  });
});

afterEach(() => {
  delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
});

/** Calls a receiver by a name that leads to this machine. */
function call(host: string, port: number, by: CallOut = callOut) {
  const url = `https://${host}:${port}/`;
  return by({ url, headers: {}, body: "{}", reach: alsoLoopback, timeoutMs: 2_000 });
}

const answer = (socket: Parameters<NonNullable<RawTerms["request"]>>[0]) => {
  socket.write(OK);
};

describe("a certificate", () => {
  test("that is good for the name lets the call through, and the name is asked for", async () => {
    const terms = { certificate: certificates.good, request: answer };
    await using receiver = await openRawReceiver(terms);

    const result = await call("hooks.example", receiver.port);

    expect([result.status, result.failure, result.excerpt]).toEqual([200, null, "ok"]);
    expect(receiver.serverNames).toEqual(["hooks.example"]);
  });

  test("that is good for an address lets a call to that address through", async () => {
    const terms = { certificate: certificates.good, request: answer };
    await using receiver = await openRawReceiver(terms);

    const result = await call("127.0.0.1", receiver.port);

    expect([result.status, result.failure]).toEqual([200, null]);
  });

  test.each(["expired", "wrongName", "selfSigned"] as const)(
    "that is %s stops the call before anything is sent",
    async (kind) => {
      const terms = { certificate: certificates[kind], request: answer };
      await using receiver = await openRawReceiver(terms);

      const result = await call("hooks.example", receiver.port);

      expect([result.status, result.failure, result.address]).toEqual([null, "tls", "127.0.0.1"]);
      expect(receiver.requests).toBe(0);
    },
  );

  test("of an unknown authority stops the call", async () => {
    const terms = { certificate: certificates.good, request: answer };
    await using receiver = await openRawReceiver(terms);
    const stranger = openCallOut({ resolve: () => Promise.resolve(["127.0.0.1"]) });

    const result = await call("hooks.example", receiver.port, stranger);

    expect([result.failure, receiver.requests]).toEqual(["tls", 0]);
  });

  test("that is bad stops the call even where the environment turns verification off", async () => {
    const terms = { certificate: certificates.expired, request: answer };
    await using receiver = await openRawReceiver(terms);
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";

    const result = await call("hooks.example", receiver.port);

    expect([result.failure, receiver.requests]).toEqual(["tls", 0]);
  });

  test("for one name does not vouch for another one at the same address", async () => {
    const terms = { certificate: certificates.good, request: answer };
    await using receiver = await openRawReceiver(terms);

    const first = await call("hooks.example", receiver.port);
    const other = await call("other.example", receiver.port);

    expect([first.status, other.failure]).toEqual([200, "tls"]);
    expect(receiver.requests).toBe(1);
  });
});

test("a connection is used again for its own name only", async () => {
  await using receiver = await openRawReceiver({
    certificate: certificates.good,
    request: answer,
  });

  await call("hooks.example", receiver.port);
  await call("shop.example", receiver.port);
  await call("hooks.example", receiver.port);

  expect(receiver.serverNames).toEqual(["hooks.example", "shop.example"]);
  expect(receiver.requests).toBe(3);
});

describe("on the port of TLS", () => {
  test.each<[string, RawTerms]>([
    ["plain HTTP", { accept: (socket) => socket.on("data", () => socket.end(OK)) }],
    ["another protocol", { accept: (socket) => socket.write("220 mail.example ESMTP\r\n") }],
    [
      "an alert",
      {
        accept: (socket) =>
          socket.on("data", () => socket.end(Buffer.from("15030300020228", "hex"))),
      },
    ],
  ])("%s is no TLS", async (_, terms) => {
    await using receiver = await openRawReceiver(terms);

    const result = await call("hooks.example", receiver.port);

    expect([result.status, result.failure]).toEqual([null, "tls"]);
    expect(receiver.requests).toBe(0);
  });

  test("silence is waited out", async () => {
    await using receiver = await openRawReceiver();

    const result = await callOut({
      url: `https://hooks.example:${receiver.port}/`,
      headers: {},
      body: "{}",
      reach: alsoLoopback,
      timeoutMs: 300,
    });

    expect(result.failure).toBe("timeout");
    await receiver.gone();
  });

  test("a connection that is cut in the handshake is a reset", async () => {
    await using receiver = await openRawReceiver({
      accept: (socket) => socket.on("data", () => socket.resetAndDestroy()),
    });

    const result = await call("hooks.example", receiver.port);

    expect(result.failure).toBe("reset");
  });
});
