// Classifies failed calls by Bun's errors. Invariant: `connect` means that nothing was sent,
// because the next address is tried after it.

export type CallFailure =
  /** The host has no address, or none was found in time. */
  | "dns"
  /** The address or scheme is not allowed. Nothing was sent. */
  | "blocked_address"
  /** The connection was not accepted. Nothing was sent. */
  | "connect"
  /** The TLS handshake failed, or the certificate is not trusted. */
  | "tls"
  | "timeout"
  /** The connection broke; the request may have arrived. */
  | "reset"
  /** The response's headers are too large, or its body, where all of it is wanted. */
  | "too_large"
  /** The response is not HTTP, or its body not UTF-8, where all of it is wanted. */
  | "protocol";

/** Errors of getaddrinfo. */
const DNS = /^(?:ENOTFOUND|ENODATA|ESERVFAIL|EAI_\w+|DNS\w*)$/;
/** The system's errors of connecting: refused, unreachable, or no socket available. */
const CONNECT =
  /^(?:ECONNREFUSED|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|EAFNOSUPPORT|EACCES|EPERM|E[MN]FILE)$/;
/** Bun's errors of the handshake, and of TLS that breaks later. */
const TLS = /^(?:EPROTO|ERR_(?:TLS|SSL)_\w+)$/;
/** Bun's and OpenSSL's errors of certificates, which are checked before a request is written. */
const CERTIFICATE =
  /^(?:ERR_TLS_CERT_\w+|(?:UNABLE_TO|CERT|CRL|ERROR_IN|DEPTH_ZERO|SELF_SIGNED|PATH_LENGTH|UNKNOWN_CERTIFICATE)_\w+|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)$/;
const PROTOCOL = /^(?:Malformed_HTTP_Response|Invalid\w+|Unrequested\w+|HTTP\w+)$/;

/** Classifies an error of `fetch` or of reading the body. */
export function callFailure(error: unknown): CallFailure {
  const code = codeOf(error);
  if (DNS.test(code)) return "dns";
  if (CONNECT.test(code)) return "connect";
  if (TLS.test(code) || CERTIFICATE.test(code)) return "tls";
  if (code === "ResponseHeadersTooLarge") return "too_large";
  if (PROTOCOL.test(code)) return "protocol";
  return code === "ETIMEDOUT" || isTimeout(error) ? "timeout" : "reset";
}

/**
 * Returns true if an error of `fetch` proves that no byte of the request was written. Other errors of TLS may come
 * after one: Bun has one code for a handshake that fails and for a connection that breaks later.
 */
export function isUnsent(error: unknown): boolean {
  const code = codeOf(error);
  return DNS.test(code) || CONNECT.test(code) || CERTIFICATE.test(code);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /^(?:TimeoutError|AbortError)$/.test(error.name);
}
