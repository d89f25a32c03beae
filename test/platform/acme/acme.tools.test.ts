// The server's certificate, signed by an authority that speaks ACME strictly and refuses one nonce in five.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:tls";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import { serveChallenges } from "#platform/acme/challenge-server.ts";
import { certificateRequest } from "#platform/acme/der.ts";
import { newKey } from "#platform/acme/jws.ts";
import { findAccount, findCertificate } from "#platform/acme/queries.ts";
import { Renewal } from "#platform/acme/renewal.ts";
import type { CertificateRow } from "#platform/acme/tables.ts";
import { openLog } from "#platform/log/log.ts";
import { openAsk } from "#platform/net/ask.ts";

import { openModeDatabase } from "../../support/database.ts";
import { openRunningDuka } from "../../support/running-duka.ts";
import { runs } from "../../support/runs.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { TOOL_MS_MAX } from "../../tools/tools.ts";
import { freePort, openPebble, type Pebble } from "./pebble.ts";

setDefaultTimeout(TOOL_MS_MAX);

let pebble: Pebble;
beforeAll(async () => {
  pebble = await openPebble();
});
afterAll(() => pebble[Symbol.asyncDispose]());

const RENEWALS = runs(3);
const DOMAINS = ["shop.example.org", "www.shop.example.org"];

/** The row before the first try. */
const nothing: Pick<CertificateRow, "chain" | "renewAt" | "notAfter" | "problem"> = {
  chain: null,
  renewAt: 0,
  notAfter: null,
  problem: null,
};

/** The part of a program that renews, with a database of its own and a clock that can be moved. */
async function openRenewing() {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(openScratchFolder());
  const database = await openModeDatabase(folder.path, "live");
  opened.defer(() => database.close());
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const lines: string[] = [];
  const challenges = serveChallenges({
    host: "127.0.0.1",
    port: pebble.challengePort,
    database,
    publicUrl: () => "https://shop.example.org",
  });
  opened.defer(() => challenges.stop());
  const settings: { domains: readonly string[]; email: string; directory: string } = {
    domains: DOMAINS,
    email: "keeper@example.org",
    directory: pebble.directory,
  };
  const renewal = new Renewal({
    settings,
    database,
    ask: openAsk({ tlsAuthorities: [readFileSync(pebble.authorityPath, "utf8")] }),
    clock,
    log: openLog({ level: "info", write: (line) => lines.push(line) }),
    signal: new AbortController().signal,
    onRenewed: async () => {},
  });
  const row = async () => ({ ...nothing, ...(await findCertificate(database.read)) });
  const closing = opened.move();
  return {
    database,
    settings,
    clock,
    lines,
    run: () => renewal.run(),
    row,
    /** The serial number of the certificate that is in use; null without one. */
    serial: async () => {
      const { chain } = await row();
      return chain === null ? null : new X509Certificate(chain).serialNumber;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

test("a request for a certificate is one that openssl reads, for all its names", () => {
  const request = certificateRequest(DOMAINS, newKey());

  const read = Bun.spawnSync(["openssl", "req", "-inform", "DER", "-verify", "-noout", "-text"], {
    stdin: request,
  });

  expect(read.exitCode).toBe(0);
  expect(read.stderr.toString()).toContain("verify OK");
  expect(read.stdout.toString()).toContain("DNS:shop.example.org, DNS:www.shop.example.org");
});

describe("a certificate", () => {
  test("is had for all names, and renewed after two thirds of its life, not before", async () => {
    await using shop = await openRenewing();

    await shop.run();
    const first = await shop.row();
    const began = Date.now();
    await shop.run();

    expect(first).toMatchObject({ domains: DOMAINS.join(" "), failures: 0, problem: null });
    const leaf = new X509Certificate(first.chain ?? "");
    expect(DOMAINS.map((name) => leaf.checkHost(name))).toEqual(DOMAINS);
    expect((await shop.row()).chain).toBe(first.chain ?? "");
    const end = first.notAfter ?? 0;
    expect(first.renewAt).toBeWithin(began + (end - began) * 0.66, began + (end - began) * 0.67);
    shop.clock.offsetMs = first.renewAt - Date.now() + 1;
    await shop.run();
    expect(await shop.serial()).not.toBe(leaf.serialNumber);
  });

  test("is asked for anew where the names are others", async () => {
    await using shop = await openRenewing();
    await shop.run();
    shop.settings.domains = ["one.example.org", "two.example.org"];

    await shop.run();

    const leaf = new X509Certificate((await shop.row()).chain ?? "");
    expect(leaf.checkHost("two.example.org")).toBe("two.example.org");
  });

  test("is renewed again and again on one account, through nonces that are refused", async () => {
    await using shop = await openRenewing();
    const serials = new Set<string | null>();

    for (let time = 0; time < RENEWALS; time += 1) {
      await shop.run();
      serials.add(await shop.serial());
      shop.clock.offsetMs += (await shop.row()).renewAt - shop.clock.now() + 1;
    }

    expect(serials.size).toBe(RENEWALS);
    expect(shop.lines.filter((line) => line.includes("No certificate was had."))).toEqual([]);
  });

  test("is had by a new account where the authority has forgotten the old one", async () => {
    await using shop = await openRenewing();
    await shop.run();
    const account = await findAccount(shop.database.read, pebble.directory);
    const before = await shop.serial();
    await pebble.stop();
    await pebble.start();
    shop.clock.offsetMs = (await shop.row()).renewAt - Date.now() + 1;

    await shop.run();

    expect(await shop.serial()).not.toBe(before);
    const now = await findAccount(shop.database.read, pebble.directory);
    expect(now?.sealedKey).not.toBe(account?.sealedKey ?? "");
  });

  test("stays in use while the authority is away for ten days, which is tried at longer and longer pauses", async () => {
    await using shop = await openRenewing();
    await shop.run();
    const before = await shop.serial();
    shop.clock.offsetMs = (await shop.row()).renewAt - Date.now() + 1;
    await pebble.stop();
    const pauses: number[] = [];

    for (let tries = 0; tries < 14; tries += 1) {
      const nowMs = shop.clock.now();
      await shop.run();
      const pauseMs = (await shop.row()).renewAt - nowMs;
      pauses.push(Math.round(pauseMs / MINUTE_MS));
      shop.clock.offsetMs += pauseMs + 1_000;
    }
    await pebble.start();
    const problem = (await shop.row()).problem;
    const stale = await shop.serial();
    await shop.run();

    const day = DAY_MS / MINUTE_MS;
    const hour = HOUR_MS / MINUTE_MS;
    expect(pauses).toEqual([5, 15, hour, 4 * hour, ...Array.from({ length: 10 }, () => day)]);
    expect(problem).toContain("cannot be asked: connect");
    expect(stale).toBe(before);
    expect(await shop.serial()).not.toBe(before);
    expect(await shop.row()).toMatchObject({ failures: 0, problem: null });
  });
});

/** What a server on this port presents to a client that asks for the name. */
function presented(port: number, servername: string): Promise<{ issuer: string; serial: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ issuer: string; serial: string }>();
  const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false }, () => {
    const { issuer, serialNumber: serial } = socket.getPeerCertificate();
    resolve({ issuer: String(issuer.CN), serial });
    socket.end();
  });
  socket.once("error", reject);
  return promise;
}

test("a server listens at once, has its certificate soon, keeps it through kill -9, and sends http to https", async () => {
  using folder = openScratchFolder();
  const port = await freePort();
  const settings = {
    DUKA_PORT: String(port),
    DUKA_ACME_DOMAINS: DOMAINS.join(","),
    DUKA_ACME_EMAIL: "keeper@example.org",
    DUKA_ACME_DIRECTORY: pebble.directory,
    DUKA_ACME_CA: pebble.authorityPath,
    DUKA_ACME_HTTP_PORT: String(pebble.challengePort),
  };
  const duka = await openRunningDuka({ folder: folder.path, settings });
  let shown = await presented(port, "shop.example.org");
  for (let tries = 0; tries < 200 && !shown.issuer.startsWith("Pebble"); tries += 1) {
    await Bun.sleep(50);
    shown = await presented(port, "shop.example.org");
  }
  const moved = await fetch(`http://127.0.0.1:${pebble.challengePort}/v2/products?q=mug`, {
    method: "POST",
    redirect: "manual",
  });
  await duka.end("SIGKILL");
  await using again = await openRunningDuka({ folder: folder.path, settings });

  expect(shown.issuer).toStartWith("Pebble");
  expect(moved.status).toBe(308);
  expect(moved.headers.get("location")).toBe(`https://shop.example.org:${port}/v2/products?q=mug`);
  expect((await presented(port, "shop.example.org")).serial).toBe(shown.serial);
  expect(again.greeting).toContain("https://shop.example.org");
});
