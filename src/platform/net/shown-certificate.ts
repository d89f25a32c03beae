// Reads the certificate that a server shows, whether or not browsers trust it, without sending a request.

import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:tls";

import { isAddress } from "./addresses.ts";
import { plainHost } from "./target-url.ts";

export interface ShownCertificate {
  /** Epoch milliseconds. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Why a browser would not trust it, as a code of OpenSSL; null if one would. */
  readonly fault: string | null;
}

const HTTPS_PORT = 443;

/** Resolves to the certificate of the server at this https URL. Rejects if no connection comes about before the signal. */
export async function readCertificate(url: string, signal: AbortSignal): Promise<ShownCertificate> {
  const { hostname, port } = new URL(url);
  const host = plainHost(hostname);
  const { promise, resolve, reject } = Promise.withResolvers<ShownCertificate>();
  const socket = connect({
    host,
    port: port === "" ? HTTPS_PORT : Number(port),
    ...(isAddress(host) ? {} : { servername: host }),
    rejectUnauthorized: false,
  });
  const end = () => socket.destroy(new Error("The deadline has passed"));
  signal.addEventListener("abort", end, { once: true });
  socket.once("error", reject);
  socket.once("close", () => reject(new Error("The connection was closed")));
  socket.once("secureConnect", () => {
    const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
    const error: unknown = socket.authorizationError;
    const fault = socket.authorized ? null : codeOf(error);
    resolve({ validFrom: Date.parse(from), validTo: Date.parse(to), fault });
  });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", end);
    socket.destroy();
  }
}

/** The certificate in a file. Its fault is not told: no name was asked for. */
export function certificateIn(path: string): ShownCertificate {
  const { validFrom, validTo } = new X509Certificate(readFileSync(path, "utf8"));
  return { validFrom: Date.parse(validFrom), validTo: Date.parse(validTo), fault: null };
}

function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  return typeof error === "string" ? error : "UNKNOWN";
}
