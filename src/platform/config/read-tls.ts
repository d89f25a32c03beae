// Reads how the server ends TLS: with a certificate that the operator brings, or one that it has signed for itself.

import { accessSync, constants, statSync } from "node:fs";
import { join, resolve } from "node:path";

import type { AcmeSettings } from "#platform/acme/renewal.ts";
import type { TlsPaths } from "#platform/http/server/listener.ts";
import { isLoopback } from "#platform/net/addresses.ts";

import { acmeSettings } from "./acme-settings.ts";
import type { Intake } from "./intake.ts";
import type { Setting } from "./setting.ts";
import { settings } from "./settings.ts";

/** How the server has a certificate signed for itself. */
export interface AcmeConfig extends AcmeSettings {
  /** The path of the PEM by which a private authority is trusted; null for one of the internet. */
  readonly authorityPath: string | null;
  readonly httpPort: number;
}

const HTTPS_PORT = 443;

/** Null without DUKA_ACME_DOMAINS, which the other settings need. */
export function readAcme(intake: Intake): AcmeConfig | null {
  const { acmeDomains, acmeEmail, acmeDirectory, acmeAuthority, acmePort } = acmeSettings;
  const domains = intake.option(acmeDomains);
  const email = intake.option(acmeEmail);
  const others = [acmeEmail, acmeDirectory, acmeAuthority, acmePort];
  // If the names are given but faulty, only those faults are reported.
  if (intake.given[acmeDomains.name] === undefined) {
    for (const other of others.filter(({ name }) => intake.given[name] !== undefined)) {
      intake.add(other, `has no effect without ${acmeDomains.name}`);
    }
  } else if (intake.given[acmeEmail.name] === undefined) {
    intake.add(acmeEmail, `must be set with ${acmeDomains.name}`);
  }
  const authorityPath = readableFile(intake, acmeAuthority);
  const [directory, httpPort] = [intake.value(acmeDirectory), intake.value(acmePort)];
  return domains === null || email === null
    ? null
    : { domains, email, directory, authorityPath, httpPort };
}

/** The public URL: with ACME, by default that of its first name. Its host must be one of the names. */
export function readPublicUrl(
  intake: Intake,
  acme: AcmeConfig | null,
  port: number,
): string | null {
  const given = intake.option(settings.publicUrl);
  const [first] = acme?.domains ?? [];
  if (acme === null || first === undefined) return given;
  if (given !== null) {
    if (!acme.domains.includes(new URL(given).hostname)) {
      intake.add(
        settings.publicUrl,
        `has a host that ${acmeSettings.acmeDomains.name} does not name`,
      );
    }
    return given;
  }
  return port === HTTPS_PORT || port === 0 ? `https://${first}` : `https://${first}:${port}`;
}

/** The files of the certificate: those that the settings name, or those that ACME writes into the data directory. */
export function readTls(
  intake: Intake,
  { acme, dataDirectory }: { readonly acme: AcmeConfig | null; readonly dataDirectory: string },
): TlsPaths | null {
  const { tlsCertificate, tlsKey } = settings;
  const certificatePath = readableFile(intake, tlsCertificate);
  const keyPath = readableFile(intake, tlsKey);
  if (certificatePath !== null && keyPath === null) {
    intake.add(tlsKey, `must be set with ${tlsCertificate.name}`);
  }
  if (keyPath !== null && certificatePath === null) {
    intake.add(tlsCertificate, `must be set with ${tlsKey.name}`);
  }
  if (acme !== null) {
    const isBrought = certificatePath !== null || keyPath !== null;
    if (isBrought) {
      intake.add(acmeSettings.acmeDomains, `cannot stand beside ${tlsCertificate.name}`);
    }
    const folder = join(dataDirectory, "tls");
    return { certificatePath: join(folder, "chain.pem"), keyPath: join(folder, "key.pem") };
  }
  return certificatePath === null || keyPath === null ? null : { certificatePath, keyPath };
}

function readableFile(intake: Intake, setting: Setting<string>): string | null {
  const text = intake.option(setting);
  if (text === null) return null;
  const path = resolve(text);
  try {
    accessSync(path, constants.R_OK);
    if (!statSync(path).isFile()) intake.add(setting, `${path} is not a file`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    intake.add(setting, `cannot be read: ${reason}`);
  }
  return path;
}

/** Without TLS, API keys would cross the network in clear text, so the operator must allow it. */
export function refusePlainHttp(host: string, intake: Intake): void {
  const isAllowed = intake.value(settings.allowPlainHttp);
  const isPrivate = host === "localhost" || isLoopback(host);
  // If the TLS settings are given but faulty, only those faults are reported.
  const { tlsCertificate, tlsKey, trustedProxies, acmeDomains } = settings;
  const isEncrypted = [tlsCertificate, tlsKey, trustedProxies, acmeDomains].some(
    ({ name }) => intake.given[name] !== undefined,
  );
  if (isAllowed || isPrivate || isEncrypted) return;
  intake.add(
    settings.host,
    `${host} is reachable from a network, where API keys would be readable. Set ` +
      "DUKA_TLS_CERT and DUKA_TLS_KEY, or DUKA_ACME_DOMAINS, or name the proxy that terminates TLS in DUKA_TRUSTED_PROXIES, " +
      "or accept it with DUKA_ALLOW_PLAIN_HTTP=1",
  );
}
