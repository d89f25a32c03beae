// The part of a program that renews, at an authority on this machine, with a clock that can be moved.

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

import { serveChallenges } from "#platform/acme/challenge-server.ts";
import { findCertificate } from "#platform/acme/queries.ts";
import { Renewal } from "#platform/acme/renewal.ts";
import type { CertificateRow } from "#platform/acme/tables.ts";
import { openLog } from "#platform/log/log.ts";
import { type Ask, openAsk } from "#platform/net/ask.ts";

import { openModeDatabase } from "../../support/database.ts";
import type { Pebble } from "./pebble.ts";

export const DOMAINS = ["shop.example.org", "www.shop.example.org"];

/** Where the authority is, and the port at which it looks. */
export type AuthorityPlace = Pick<Pebble, "directory" | "authorityPath" | "challengePort">;

interface RenewingTerms {
  readonly pebble: AuthorityPlace;
  /** The folder of the database; programs of one folder share it on PostgreSQL. */
  readonly folder: string;
  /** False where another program of the shop answers the challenges. */
  readonly answers?: boolean;
  /** What the authority is asked with. */
  readonly askBy?: (ask: Ask) => Ask;
  readonly onRenewed?: () => Promise<void>;
}

/** The row before the first try. */
const nothing: Pick<CertificateRow, "chain" | "renewAt" | "notAfter" | "problem"> = {
  chain: null,
  renewAt: 0,
  notAfter: null,
  problem: null,
};

/** Opens it on a database that is in the folder, or on an empty one. */
export async function openRenewing({
  pebble,
  folder,
  answers = true,
  askBy = (ask) => ask,
  onRenewed = async () => {},
}: RenewingTerms) {
  await using opened = new AsyncDisposableStack();
  const database = await openModeDatabase(folder, "live");
  opened.defer(() => database.close());
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const lines: string[] = [];
  if (answers) {
    const challenges = serveChallenges({
      host: "127.0.0.1",
      port: pebble.challengePort,
      database,
      publicUrl: () => "https://shop.example.org",
    });
    opened.defer(() => challenges.stop());
  }
  const settings: { domains: readonly string[]; email: string; directory: string } = {
    domains: DOMAINS,
    email: "keeper@example.org",
    directory: pebble.directory,
  };
  const renewal = new Renewal({
    settings,
    database,
    ask: askBy(openAsk({ tlsAuthorities: [readFileSync(pebble.authorityPath, "utf8")] })),
    clock,
    log: openLog({ level: "info", write: (line) => lines.push(line) }),
    signal: new AbortController().signal,
    onRenewed,
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
    /** Moves the clock to the moment at which the certificate is to be renewed. */
    wait: async () => {
      clock.offsetMs = (await row()).renewAt - Date.now() + 1;
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
