// The port at which an authority looks: it answers challenges, and sends all else to the public URL.

import { expect, test } from "bun:test";

import { HOUR_MS } from "#kernel/time.ts";
import { serveChallenges } from "#platform/acme/challenge-server.ts";
import { putChallenge } from "#platform/acme/queries.ts";

import { openModeDatabase } from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";

const CHALLENGES = "/.well-known/acme-challenge";

async function openPort() {
  const folder = openScratchFolder();
  const database = await openModeDatabase(folder.path, "live");
  await database.write((tx) =>
    putChallenge(tx, { token: "a-Token_1", answer: "a-Token_1.x", expiresAt: tx.now + HOUR_MS }),
  );
  const publicUrl = () => "https://shop.example";
  const terms = { host: "127.0.0.1", database, publicUrl };
  const server = serveChallenges({ ...terms, port: 0 });
  return {
    server,
    again: () => serveChallenges({ ...terms, port: server.port }),
    ask: (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${server.port}${path}`, { redirect: "manual", ...init }),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

test("an open challenge is answered, and no other", async () => {
  await using port = await openPort();

  const found = await port.ask(`${CHALLENGES}/a-Token_1`);

  expect([found.status, await found.text()]).toEqual([200, "a-Token_1.x"]);
  expect((await port.ask(`${CHALLENGES}/another`)).status).toBe(404);
});

test.each([
  ["/", "GET", "/"],
  ["/v2/products?q=mug", "POST", "/v2/products?q=mug"],
  ["//evil.example/a", "GET", "/evil.example/a"],
  [`${CHALLENGES}/`, "GET", `${CHALLENGES}/`],
  [`${CHALLENGES}/a.b`, "GET", `${CHALLENGES}/a.b`],
])("%s by %s is sent to the public URL", async (path, method, location) => {
  await using port = await openPort();

  const sent = await port.ask(path, { method, ...(method === "POST" ? { body: "{}" } : {}) });

  expect([sent.status, sent.headers.get("location")]).toEqual([
    308,
    `https://shop.example${location}`,
  ]);
});

test("a port that another program has is told, with what to do", async () => {
  await using port = await openPort();

  expect(() => port.again()).toThrow(
    "where the certificate authority looks, cannot be had (EADDRINUSE)",
  );
});
