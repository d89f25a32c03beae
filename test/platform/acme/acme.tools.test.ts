// The server's certificate, signed by an authority that speaks ACME strictly and refuses one nonce in five.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import { prepareCertificate, writeStored } from "#platform/acme/certificate-files.ts";
import { certificateRequest } from "#platform/acme/der.ts";
import { newKey } from "#platform/acme/jws.ts";
import { findAccount } from "#platform/acme/queries.ts";
import { Listener, type TlsPaths } from "#platform/http/server/listener.ts";

import { openRunningDuka } from "../../support/running-duka.ts";
import { runs } from "../../support/runs.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { TOOL_MS_MAX } from "../../tools/tools.ts";
import { freePort, openPebble, type Pebble } from "./pebble.ts";
import { DOMAINS, openRenewing } from "./renewing.ts";

setDefaultTimeout(TOOL_MS_MAX);

let pebble: Pebble;
beforeAll(async () => {
  pebble = await openPebble();
});
afterAll(() => pebble[Symbol.asyncDispose]());

const RENEWALS = runs(10);
const VISITORS = 4;

/** The part of a program that renews, with a database of its own. */
async function openAlone(onRenewed?: () => Promise<void>) {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(openScratchFolder());
  const terms = onRenewed === undefined ? {} : { onRenewed };
  const renewing = opened.use(await openRenewing({ pebble, folder: folder.path, ...terms }));
  const closing = opened.move();
  return { ...renewing, folder, [Symbol.asyncDispose]: () => closing.disposeAsync() };
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
    await using shop = await openAlone();

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
    await shop.wait();
    await shop.run();
    expect(await shop.serial()).not.toBe(leaf.serialNumber);
  });

  test("is asked for anew where the names are others", async () => {
    await using shop = await openAlone();
    await shop.run();
    shop.settings.domains = ["one.example.org", "two.example.org"];

    await shop.run();

    const leaf = new X509Certificate((await shop.row()).chain ?? "");
    expect(leaf.checkHost("two.example.org")).toBe("two.example.org");
  });

  test("is renewed again and again under a running server, which refuses no connection and loses no request", async () => {
    const serving: { listener?: Listener } = {};
    await using shop = await openAlone(async () => {
      await writeStored(files);
      serving.listener?.renew();
    });
    const { folder, database, clock } = shop;
    const paths = { certificatePath: folder.file("c.pem"), keyPath: folder.file("k.pem") };
    const files = { paths, domains: DOMAINS, database, clock };
    await prepareCertificate(files);
    await shop.run();
    await using server = openServer(paths);
    serving.listener = server.listener;
    const crowd = openCrowd(server.listener.port, await pebble.root());
    const serials = new Set([await shop.serial()]);

    for (let time = 0; time < RENEWALS; time += 1) {
      await shop.wait();
      await shop.run();
      serials.add(await shop.serial());
    }
    const { answered, faults } = await crowd.leave();

    expect(serials.size).toBe(RENEWALS + 1);
    expect(shop.lines.filter((line) => line.includes("No certificate was had."))).toEqual([]);
    expect(server.renewals()).toBe(RENEWALS);
    // A connection that has no request yet may be closed: its client opens another one.
    expect([...faults].filter((fault) => fault !== "ECONNRESET")).toEqual([]);
    expect(answered).toBe(server.begun());
    expect(answered).toBeGreaterThan(RENEWALS * VISITORS);
  });

  test("is had by a new account where the authority has forgotten the old one", async () => {
    await using shop = await openAlone();
    await shop.run();
    const account = await findAccount(shop.database.read, pebble.directory);
    const before = await shop.serial();
    await pebble.stop();
    await pebble.start();
    await shop.wait();

    await shop.run();

    expect(await shop.serial()).not.toBe(before);
    const now = await findAccount(shop.database.read, pebble.directory);
    expect(now?.sealedKey).not.toBe(account?.sealedKey ?? "");
  });

  test("stays in use while the authority is away for ten days, which is tried at longer and longer pauses", async () => {
    await using shop = await openAlone();
    await shop.run();
    const before = await shop.serial();
    await shop.wait();
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

/** A server with the certificate of these files. */
function openServer(paths: TlsPaths) {
  let [begun, renewals] = [0, 0];
  const listener = new Listener({
    host: "127.0.0.1",
    port: 0,
    tls: paths,
    handlers: {
      idleTimeout: 60,
      routes: {},
      fetch: async (request) => {
        begun += 1;
        return new Response(await request.text());
      },
    },
    onRenewed: () => (renewals += 1),
    onFault: (error) => {
      throw error;
    },
  });
  return {
    listener,
    begun: () => begun,
    renewals: () => renewals,
    [Symbol.asyncDispose]: () => listener.stop(1_000),
  };
}

/** Visitors who ask without pause, on connections of their own and on kept ones, and trust the authority alone. */
function openCrowd(port: number, ca: string) {
  const faults = new Set<unknown>();
  const crowd = { isOver: false };
  let answered = 0;
  const tls = { ca, serverName: "shop.example.org" };
  const visit = async (keepalive: boolean) => {
    while (!crowd.isOver) {
      const sent = { method: "POST", body: "mug", keepalive, tls };
      const answer = await fetch(`https://127.0.0.1:${port}/`, sent).catch((error: unknown) => {
        faults.add(Object(error).code);
      });
      if ((await answer?.text()) === "mug") answered += 1;
    }
  };
  const visits = Array.from({ length: VISITORS }, (_, index) => visit(index % 2 === 0));
  return {
    leave: async () => {
      crowd.isOver = true;
      await Promise.all(visits);
      return { answered, faults };
    },
  };
}

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
  let shown = await presentedMeanwhile(port, "shop.example.org");
  for (let tries = 0; tries < 200 && !shown?.issuer.startsWith("Pebble"); tries += 1) {
    await Bun.sleep(50);
    shown = await presentedMeanwhile(port, "shop.example.org");
  }
  const moved = await fetch(`http://127.0.0.1:${pebble.challengePort}/v2/products?q=mug`, {
    method: "POST",
    redirect: "manual",
  });
  await duka.end("SIGKILL");
  await using again = await openRunningDuka({ folder: folder.path, settings });

  expect(shown?.issuer).toStartWith("Pebble");
  expect(moved.status).toBe(308);
  expect(moved.headers.get("location")).toBe(`https://shop.example.org:${port}/v2/products?q=mug`);
  expect((await presented(port, "shop.example.org")).serial).toBe(shown?.serial ?? "");
  expect(again.greeting).toContain("https://shop.example.org");
});

/** As `presented`; null where the certificate changed during the handshake, which closes the connection. */
async function presentedMeanwhile(port: number, servername: string) {
  return presented(port, servername).catch((error: unknown) => {
    if (Object(error).code === "ECONNRESET") return null;
    throw error;
  });
}
