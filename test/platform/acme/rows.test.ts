// The rows of the server's certificate.

import { expect, test } from "bun:test";

import { HOUR_MS } from "#kernel/time.ts";
import {
  ACME_PLACE,
  findAccount,
  findCertificate,
  findChallenge,
  putAccount,
  putCertificate,
  putChallenge,
  resealAcme,
} from "#platform/acme/queries.ts";
import { Resealing } from "#platform/vault/vault.ts";

import { NOON, openModeDatabase } from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";

const DIRECTORY = "https://ca.example/dir";

test("a challenge is answered until it ends, and goes with the next one after that", async () => {
  using folder = openScratchFolder();
  const clock = { at: NOON, now: () => clock.at };
  const database = await openModeDatabase(folder.path, "live", clock);
  const put = (token: string) =>
    database.write((tx) =>
      putChallenge(tx, { token, answer: `${token}.x`, expiresAt: tx.now + HOUR_MS }),
    );

  await put("one");
  const answer = await findChallenge(database.read, "one");
  clock.at += 2 * HOUR_MS;
  await put("two");

  expect(answer).toBe("one.x");
  expect(await findChallenge(database.read, "one")).toBeNull();
  expect(await findChallenge(database.read, "two")).toBe("two.x");
  await database.close();
});

test("a rotation of the shop's key seals the private keys again", async () => {
  using folder = openScratchFolder();
  const database = await openModeDatabase(folder.path, "live");
  const { vault } = database;
  const sealed = (text: string) => vault.seal(text, ACME_PLACE);
  const certificate = {
    domains: "shop.example.org",
    directory: DIRECTORY,
    chain: "-----BEGIN CERTIFICATE-----",
    sealedKey: sealed("key of the certificate"),
    notAfter: NOON,
    renewAt: NOON,
    failures: 0,
    problem: null,
  };
  const account = { directory: DIRECTORY, sealedKey: sealed("key of the account"), url: "1" };
  await database.write(async (tx) => {
    await putAccount(tx, { ...account, createdAt: NOON });
    await putCertificate(tx, certificate);
  });

  const resealing = new Resealing(vault);
  await database.write((tx) => resealAcme(tx, resealing));

  expect(resealing.resealed).toBe(2);
  const [found, had] = [
    await findAccount(database.read, DIRECTORY),
    await findCertificate(database.read),
  ];
  expect(found?.sealedKey).not.toBe(account.sealedKey);
  expect(vault.unseal(found?.sealedKey ?? "", ACME_PLACE)).toBe("key of the account");
  expect(vault.unseal(had?.sealedKey ?? "", ACME_PLACE)).toBe("key of the certificate");
  await database.close();
});
