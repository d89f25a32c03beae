// When a certificate is asked for again, and when the operator is warned.

import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import { findCertificate, putCertificate } from "#platform/acme/queries.ts";
import { Renewal } from "#platform/acme/renewal.ts";
import { openLog } from "#platform/log/log.ts";

import { makeCertificates } from "../../support/certificates.ts";
import { NOON, openModeDatabase } from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { AT, authorityThat, type Said } from "./an-authority.ts";

/** The part of a program that renews, at an authority that answers so. */
async function openRenewing(said: Readonly<Record<string, Said>> = {}) {
  const folder = openScratchFolder();
  const database = await openModeDatabase(folder.path, "live");
  const clock = { at: NOON, now: () => clock.at };
  const lines: string[] = [];
  const settings = {
    domains: ["shop.example"],
    email: "keeper@shop.example",
    directory: `${AT}/dir`,
  };
  const renewal = new Renewal({
    settings,
    database,
    ask: authorityThat(said),
    clock,
    log: openLog({ level: "info", write: (line) => lines.push(line) }),
    signal: new AbortController().signal,
    onRenewed: async () => {},
  });
  return {
    database,
    settings,
    clock,
    lines,
    renewal,
    [Symbol.asyncDispose]: async () => {
      await database.close();
      folder[Symbol.dispose]();
    },
  };
}

test("an authority is not asked before the time that it named, however soon the next try would be", async () => {
  const body = { type: "urn:ietf:params:acme:error:rateLimited", detail: "too many" };
  const headers = { "retry-after": String((50 * HOUR_MS) / 1_000) };
  await using shop = await openRenewing({ "/new": { status: 429, headers, body } });

  await shop.renewal.run();

  expect(await findCertificate(shop.database.read)).toMatchObject({
    renewAt: NOON + 50 * HOUR_MS,
    failures: 1,
    problem: "rateLimited: too many",
  });
});

test("the words of an authority are kept without controls, and cut", async () => {
  const detail = `a\u001b[31m\n${"x".repeat(400)}`;
  const body = { type: "urn:ietf:params:acme:error:malformed", detail };
  await using shop = await openRenewing({ "/new": { status: 400, body } });

  await shop.renewal.run();

  const { problem } = (await findCertificate(shop.database.read)) ?? {};
  expect(problem).toStartWith("malformed: a [31m xxx");
  expect(problem).toHaveLength(300);
});

test.each([
  ["another authority", { directory: `${AT}/other` }],
  ["other names", { domains: ["shop.example", "www.shop.example"] }],
])("%s: the pause of the tries before does not hold, and begins anew", async (_, changed) => {
  const body = { type: "urn:ietf:params:acme:error:rateLimited", detail: "too many" };
  await using shop = await openRenewing({ "/new": { status: 429, body } });
  for (let tries = 0; tries < 4; tries += 1) {
    shop.clock.at += DAY_MS;
    await shop.renewal.run();
  }
  Object.assign(shop.settings, changed);

  for (let looks = 0; looks < 2; looks += 1) await shop.renewal.run();

  expect(await findCertificate(shop.database.read)).toMatchObject({
    failures: 1,
    renewAt: shop.clock.at + 5 * MINUTE_MS,
  });
});

/** The days that are left at each warning, through the life of a certificate that is not renewed. */
async function warnedThrough(chain: string): Promise<number[]> {
  await using shop = await openRenewing();
  const { validFrom, validTo } = new X509Certificate(chain);
  const [began, end] = [Date.parse(validFrom), Date.parse(validTo)];
  await shop.database.write((tx) =>
    putCertificate(tx, {
      domains: "shop.example",
      directory: shop.settings.directory,
      chain,
      sealedKey: "v1.x",
      notAfter: end,
      renewAt: end + DAY_MS,
      failures: 3,
      problem: "dns: no such host",
    }),
  );
  const warned: number[] = [];
  for (let at = began; at < end; at += 6 * HOUR_MS) {
    shop.clock.at = at;
    const told = shop.lines.length;
    await shop.renewal.run();
    if (shop.lines.length > told) warned.push((end - at) / DAY_MS);
  }
  return warned;
}

test("the operator is warned once at each of the last days, and of a short life not before a renewal is late", async () => {
  // Of 400 days, and of two.
  const { expired, good } = makeCertificates();

  expect(await warnedThrough(expired.cert)).toEqual([20, 10, 5, 2, 1]);
  expect(await warnedThrough(good.cert)).toEqual([]);
});
