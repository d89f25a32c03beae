// Why a call failed, from how Bun reports it. Invariant: `connect` is said only where nothing can
// have been sent, because on it the next address is tried.

export type CallFailure =
  /** The host has no address, or none could be found in time. */
  | "dns"
  /** An address, or the scheme for it, that must not be called. Nothing was sent. */
  | "blocked_address"
  /** Nobody accepted the connection. Nothing was sent. */
  | "connect"
  /** The other side's certificate or its TLS is not good. */
  | "tls"
  | "timeout"
  /** The connection broke; what was sent may have arrived. */
  | "reset"
  /** Endless headers. */
  | "too_large"
  /** What came back is not HTTP. */
  | "protocol";

/** What getaddrinfo says, where Bun is given a name. */
const DNS = /^(?:ENOTFOUND|ENODATA|ESERVFAIL|EAI_\w+|DNS\w*)$/;
/** What the system says of an attempt to connect: refused, no way there, no socket to go with. */
const CONNECT =
  /^(?:ECONNREFUSED|E(?:HOST|NET)(?:UNREACH|DOWN)|EADDRNOTAVAIL|EAFNOSUPPORT|EACCES|EPERM|E[MN]FILE)$/;
/** Bun's names of a failed handshake, and OpenSSL's of a certificate that does not verify. */
const TLS =
  /^(?:EPROTO|ERR_(?:TLS|SSL)_\w+|(?:UNABLE_TO|CERT|CRL|ERROR_IN|DEPTH_ZERO|SELF_SIGNED|PATH_LENGTH|UNKNOWN_CERTIFICATE)_\w+|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)$/;
const PROTOCOL = /^(?:Malformed_HTTP_Response|Invalid\w+|Unrequested\w+|HTTP\w+)$/;

/** The class of an error of `fetch` or of reading its body. */
export function callFailure(error: unknown): CallFailure {
  const code = codeOf(error);
  if (DNS.test(code)) return "dns";
  if (CONNECT.test(code)) return "connect";
  if (TLS.test(code)) return "tls";
  if (code === "ResponseHeadersTooLarge") return "too_large";
  if (PROTOCOL.test(code)) return "protocol";
  return code === "ETIMEDOUT" || isTimeout(error) ? "timeout" : "reset";
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && /^(?:TimeoutError|AbortError)$/.test(error.name);
}
