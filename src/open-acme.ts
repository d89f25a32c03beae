// Joins the parts that have the server's certificate signed: the settings, the live shop, the port of challenges and the job. It is
// loaded only where DUKA_ACME_DOMAINS is set.

import { readFileSync } from "node:fs";

import { MINUTE_MS, realClock } from "#kernel/time.ts";
import { prepareCertificate, writeStored } from "#platform/acme/certificate-files.ts";
import { serveChallenges } from "#platform/acme/challenge-server.ts";
import { Renewal, renewalJob } from "#platform/acme/renewal.ts";
import type { AcmeConfig } from "#platform/config/read-tls.ts";
import type { Database } from "#platform/database/database.ts";
import type { TlsPaths } from "#platform/http/server/listener.ts";
import type { Log } from "#platform/log/log.ts";
import { openAsk } from "#platform/net/ask.ts";
import type { Job } from "#platform/scheduler/scheduler.ts";

interface AcmeTerms {
  readonly acme: AcmeConfig;
  readonly paths: TlsPaths;
  /** The host at which the challenges are served. */
  readonly host: string;
  /** The live one. */
  readonly database: Database;
  readonly publicUrl: () => string;
  readonly log: Log;
}

/** The certificate of a server that has it signed for itself. */
export interface OpenedAcme extends Disposable {
  /** For the leader. */
  readonly job: Job;
  /** The port at which the challenges are served. */
  readonly port: number;
  /** Begins to write new certificates out, calling `onWritten` after each; asks for the first one at once. */
  start(onWritten: () => void): void;
}

/** Afterwards the files of the certificate are there, and the challenges are served. Throws as listening does. */
export async function openAcme(terms: AcmeTerms): Promise<OpenedAcme> {
  const { acme, paths, host, database, publicUrl, log } = terms;
  const files = { paths, domains: acme.domains, database, clock: realClock };
  await prepareCertificate(files);
  const challenges = serveChallenges({ host, port: acme.httpPort, database, publicUrl });
  const ending = new AbortController();
  const writing: { onWritten?: () => void } = {};
  const write = async () => {
    if (await writeStored(files)) writing.onWritten?.();
  };
  const renewal = new Renewal({
    settings: acme,
    database,
    ask: openAsk(authoritiesOf(acme)),
    clock: realClock,
    log,
    signal: ending.signal,
    onRenewed: write,
  });
  const look = () =>
    void write().catch((error: unknown) => log.error("The certificate was not read.", { error }));
  const timer = setInterval(look, MINUTE_MS);
  timer.unref();
  return {
    job: renewalJob(renewal),
    port: challenges.port,
    start: (call) => {
      writing.onWritten = call;
      // The leader of several programs asks within a minute.
      if (database.isShared) return;
      void renewal
        .run()
        .catch((error: unknown) => log.error("A job failed.", { job: "acme.renew", error }));
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      ending.abort();
      void challenges.stop();
    },
  };
}

function authoritiesOf({ authorityPath }: AcmeConfig): { tlsAuthorities?: readonly string[] } {
  return authorityPath === null ? {} : { tlsAuthorities: [readFileSync(authorityPath, "utf8")] };
}
