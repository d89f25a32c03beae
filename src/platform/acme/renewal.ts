// Has a certificate from an authority, and a new one before it ends. Invariants: the account is committed before its
// first order, and one commit stores a certificate with its key, so that a program that is killed at any moment, or two
// that work at once, cost one order more at most. The authority is never asked before the time that it named.

import { X509Certificate } from "node:crypto";

import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import type { Log } from "#platform/log/log.ts";
import type { Ask } from "#platform/net/ask.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

import { keyText, newKey, readKey } from "./jws.ts";
import { AcmeFault, Authority } from "./order.ts";
import {
  ACME_PLACE,
  dropAccount,
  findAccount,
  findCertificate,
  putAccount,
  putCertificate,
  putChallenge,
} from "./queries.ts";
import type { CertificateRow } from "./tables.ts";

/** A new certificate is asked for once this share of its life is over. */
const RENEWED_AFTER = 2 / 3;
/** The pauses after failures; the last one holds from then on. */
const PAUSES_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS];
/** Longer than an authority takes to look at a challenge. */
const CHALLENGE_MS = HOUR_MS;
const PROBLEM_LENGTH_MAX = 300;
/** The days before the end at which the operator is warned, if nothing was had by then. */
const WARNED_DAYS = [20, 10, 5, 2, 1];

export interface AcmeSettings {
  /** The names of the certificate. */
  readonly domains: readonly string[];
  /** The address that the authority may write to. */
  readonly email: string;
  /** The URL of the authority's directory. */
  readonly directory: string;
}

export interface RenewalTerms {
  readonly settings: AcmeSettings;
  /** The live one. */
  readonly database: Database;
  readonly ask: Ask;
  /** The real one: certificates end by it. */
  readonly clock: Clock;
  readonly log: Log;
  /** Ends what waits for the authority. */
  readonly signal: AbortSignal;
  /** Called once a new certificate is stored. */
  readonly onRenewed: () => Promise<void>;
}

/** The outcome of a try. */
type Outcome = Omit<CertificateRow, "name" | "domains" | "directory">;

/**
 * Asks for a certificate where none was asked for with these names of this authority, or the one that was had nears its
 * end. A fault of the authority is stored and logged.
 */
export class Renewal {
  readonly #terms: RenewalTerms;
  #warnedDays = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;

  constructor(terms: RenewalTerms) {
    this.#terms = terms;
  }

  /** One run at a time: who calls during one waits for it. */
  run(): Promise<void> {
    this.#running ??= this.#renew().finally(() => (this.#running = null));
    return this.#running;
  }

  async #renew(): Promise<void> {
    const { database, settings, clock, log, onRenewed } = this.#terms;
    const before = await findCertificate(database.read);
    this.#warn(before);
    const asked = { domains: settings.domains.join(" "), directory: settings.directory };
    const isAsked = before?.domains === asked.domains && before.directory === asked.directory;
    if (isAsked && clock.now() < before.renewAt) return;
    try {
      const row = { ...asked, ...(await this.#obtain()) };
      await database.write((tx) => putCertificate(tx, row));
      await onRenewed();
      const valid_to = new Date(row.notAfter ?? 0).toISOString();
      log.info("A certificate was had.", { domains: settings.domains, valid_to });
    } catch (error) {
      if (this.#terms.signal.aborted) return;
      if (!(error instanceof AcmeFault)) throw error;
      const failures = isAsked ? before.failures + 1 : 1;
      const row = { ...asked, ...failedRow(before, { failures, error, now: clock.now() }) };
      await database.write((tx) => putCertificate(tx, row));
      const next_try = new Date(row.renewAt).toISOString();
      log.warn("No certificate was had.", { problem: row.problem, next_try });
    }
  }

  async #obtain(): Promise<Outcome> {
    const { settings, database } = this.#terms;
    const key = newKey();
    const chain = await this.#ordered((authority) =>
      authority.order(settings.domains, { key, put: this.#put }),
    );
    const { validFrom, validTo } = new X509Certificate(chain);
    const [notBefore, notAfter] = [Date.parse(validFrom), Date.parse(validTo)];
    return {
      chain,
      sealedKey: database.vault.seal(keyText(key), ACME_PLACE),
      notAfter,
      renewAt: Math.floor(notBefore + (notAfter - notBefore) * RENEWED_AFTER),
      failures: 0,
      problem: null,
    };
  }

  readonly #put = (token: string, answer: string): Promise<void> => {
    const expiresAt = this.#terms.clock.now() + CHALLENGE_MS;
    return this.#terms.database.write((tx) => putChallenge(tx, { token, answer, expiresAt }));
  };

  /** Does the work with the account; an authority that has forgotten it is given a new one, once. */
  async #ordered(work: (authority: Authority) => Promise<string>): Promise<string> {
    const { database, settings } = this.#terms;
    try {
      return await work(await this.#account());
    } catch (error) {
      if (!(error instanceof AcmeFault && error.type === "accountDoesNotExist")) throw error;
      await database.write((tx) => dropAccount(tx, settings.directory));
      return work(await this.#account());
    }
  }

  async #account(): Promise<Authority> {
    const { database, settings, ask, signal, clock } = this.#terms;
    const { directory, email } = settings;
    const known = await findAccount(database.read, directory);
    if (known !== undefined) {
      const key = readKey(database.vault.unseal(known.sealedKey, ACME_PLACE));
      return new Authority({ ask, signal, directory, key, account: known.url });
    }
    const key = newKey();
    const authority = new Authority({ ask, signal, directory, key, account: null });
    const url = await authority.openAccount(email);
    const sealedKey = database.vault.seal(keyText(key), ACME_PLACE);
    const row = { directory, sealedKey, url, createdAt: clock.now() };
    await database.write((tx) => putAccount(tx, row));
    return authority;
  }

  /** Not before a day after the renewal was due: until then nothing is late. */
  #warn(row: CertificateRow | undefined): void {
    const { clock, log } = this.#terms;
    if (row === undefined || row.chain === null || row.notAfter === null) return;
    const now = clock.now();
    const began = Date.parse(new X509Certificate(row.chain).validFrom);
    const dueAt = began + (row.notAfter - began) * RENEWED_AFTER;
    const daysLeft = (row.notAfter - now) / DAY_MS;
    const reached = WARNED_DAYS.findLast((days) => daysLeft <= days);
    if (reached === undefined || now < dueAt + DAY_MS) this.#warnedDays = Number.POSITIVE_INFINITY;
    else if (reached < this.#warnedDays) {
      this.#warnedDays = reached;
      const valid_to = new Date(row.notAfter).toISOString();
      log.warn("The certificate ends soon.", { valid_to, problem: row.problem });
    }
  }
}

/** The row after a try that failed: what was had before stays in use. */
function failedRow(
  before: CertificateRow | undefined,
  {
    failures,
    error,
    now,
  }: { readonly failures: number; readonly error: AcmeFault; readonly now: number },
): Outcome {
  const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? DAY_MS;
  return {
    chain: before?.chain ?? null,
    sealedKey: before?.sealedKey ?? null,
    notAfter: before?.notAfter ?? null,
    renewAt: now + Math.max(pauseMs, error.retryAfterMs),
    failures,
    problem: error.message.replaceAll(/\p{Cc}/gu, " ").slice(0, PROBLEM_LENGTH_MAX),
  };
}

/** Looks each minute: pauses after failures begin with five. */
export function renewalJob(renewal: Renewal): Job {
  return { name: "acme.renew", pattern: "* * * * *", run: () => renewal.run() };
}
