// What the command line refuses before anything is served: exit 2 is for what was asked, 1 for what the machine lacks.

import { expect, setDefaultTimeout, test } from "bun:test";

import { runDuka } from "../../support/running-duka.ts";
import { openScratchFolder } from "../../support/scratch.ts";

setDefaultTimeout(60_000);

async function run(command: string, settings: Readonly<Record<string, string>> = {}) {
  using folder = openScratchFolder();
  const { code, stderr } = await runDuka(command.split(" "), { folder: folder.path, settings });
  return { code, stderr };
}

const acme = { DUKA_ACME_DOMAINS: "shop.example.org", DUKA_ACME_EMAIL: "keeper@example.org" };

test.each([
  ["proxy nginx", { DUKA_PORT: "4000" }, "Set DUKA_PUBLIC_URL first"],
  ["serve", { ...acme, DUKA_ACME_DOMAINS: "*.shop.example.org" }, "wildcard"],
  ["serve", { ...acme, DUKA_ACME_DOMAINS: "192.0.2.1" }, "no name"],
  ["serve", { ...acme, DUKA_ACME_DOMAINS: "shop.example.org,shop.example.org" }, "twice"],
  ["serve", { ...acme, DUKA_TLS_CERT: "c.pem", DUKA_TLS_KEY: "k.pem" }, "DUKA_TLS_CERT"],
])("%s with %j ends with 2", async (command, settings, told) => {
  const { code, stderr } = await run(command, settings);

  expect([code, stderr.includes(told)]).toEqual([2, true]);
});

test("a server ends with 1, and the cause, where another program has the port of challenges", async () => {
  using other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });

  const settings = { ...acme, DUKA_ACME_HTTP_PORT: String(other.port) };
  const { code, stderr } = await run("serve", settings);

  expect(code).toBe(1);
  expect(stderr).toContain(
    `Port ${other.port}, where the certificate authority looks, cannot be had (EADDRINUSE).`,
  );
});
