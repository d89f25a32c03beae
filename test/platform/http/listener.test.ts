// A server takes a renewed certificate into use while it runs.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect } from "node:tls";

import { Listener } from "#platform/http/server/listener.ts";

import { type Certificate, makeCertificates } from "../../support/certificates.ts";
import { openScratchFolder } from "../../support/scratch.ts";

const certificates = makeCertificates();

function openListener(first: Certificate, port = 0) {
  const folder = openScratchFolder();
  const tls = { certificatePath: folder.file("cert.pem"), keyPath: folder.file("key.pem") };
  const replace = ({ cert, key }: Certificate) => {
    writeFileSync(tls.certificatePath, cert);
    writeFileSync(tls.keyPath, key);
  };
  replace(first);
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const renewed: string[] = [];
  const faults: unknown[] = [];
  const listener = new Listener({
    host: "127.0.0.1",
    port,
    tls,
    handlers: {
      idleTimeout: 60,
      maxRequestBodySize: 1_000,
      routes: {},
      fetch: async (request) => {
        if (request.url.endsWith("/slow")) {
          begun.resolve();
          await held.promise;
        }
        return new Response(listener.peerOf(request));
      },
    },
    onRenewed: (validTo) => renewed.push(validTo),
    onFault: (error) => faults.push(error),
  });
  return {
    listener,
    replace,
    renewed,
    faults,
    begun: begun.promise,
    release: held.resolve,
    ask: (path = "/") => ask(listener.port, path),
    async [Symbol.asyncDispose]() {
      held.resolve();
      await listener.stop(1_000);
      folder[Symbol.dispose]();
    },
  };
}

/** Asks over a connection of its own; the name of the certificate and the body, or the fault. */
function ask(port: number, path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      const { subjectaltname } = socket.getPeerCertificate();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n`);
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
      });
      socket.on("close", () => resolve(`${subjectaltname}: ${text.split("\r\n\r\n")[1]}`));
    });
    socket.on("error", (error) => resolve(error.message));
  });
}

const GOOD = "DNS:hooks.example, DNS:shop.example, IP Address:127.0.0.1: 127.0.0.1";
const OTHER = "DNS:other.example: 127.0.0.1";

test("new connections have the new certificate, and a request in flight is finished", async () => {
  await using server = openListener(certificates.good);
  const before = await server.ask();
  const slow = server.ask("/slow");
  await server.begun;

  server.replace(certificates.wrongName);
  server.listener.renew();
  const during = await Promise.all([server.ask(), server.ask(), server.ask(), server.ask()]);
  server.release();

  expect(before).toBe(GOOD);
  expect(during).toEqual([OTHER, OTHER, OTHER, OTHER]);
  expect(await slow).toBe(GOOD);
  expect(await server.ask()).toBe(OTHER);
  expect(server.renewed).toHaveLength(1);
});

test("no connection is refused while certificates change again and again", async () => {
  await using server = openListener(certificates.good);
  const answers: string[] = [];

  for (let round = 0; round < 10; round += 1) {
    server.replace(round % 2 === 0 ? certificates.wrongName : certificates.good);
    server.listener.renew();
    answers.push(await server.ask());
  }

  expect(answers).toEqual(Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? OTHER : GOOD)));
});

test("the same certificate changes nothing", async () => {
  await using server = openListener(certificates.good);

  server.listener.renew();

  expect([server.renewed, server.faults]).toEqual([[], []]);
});

test.each([
  ["no certificate", { ...certificates.good, cert: "half of a cert" }],
  ["the key of another", { ...certificates.good, key: makeCertificates().good.key }],
])("%s leaves the earlier certificate in use", async (_, broken) => {
  await using server = openListener(certificates.good);

  server.replace(broken);
  server.listener.renew();
  const meanwhile = await server.ask();
  server.replace(certificates.wrongName);
  server.listener.renew();

  expect(meanwhile).toBe(GOOD);
  expect(server.faults).toHaveLength(1);
  expect(await server.ask()).toBe(OTHER);
});

test("a port that another server has is refused", async () => {
  await using server = openListener(certificates.good);

  expect(() => openListener(certificates.good, server.listener.port)).toThrow();
});
