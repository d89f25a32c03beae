// Listens on the port at which an authority looks for answers to its challenges (RFC 8555, 8.3: port 80). All else is
// sent to the public URL. No body is read.

import type { Database } from "#platform/database/database.ts";
import { closedHeaders } from "#platform/html/html-document.ts";
import { UnusableCertificate } from "#platform/http/server/listener.ts";

import { findChallenge } from "./queries.ts";

const CHALLENGES = "/.well-known/acme-challenge/";
/** Tokens have 43 characters at the authorities of today. */
const TOKEN = /^[\w-]{1,256}$/;
const IDLE_SECONDS = 10;
/** Bun answers a larger body itself; a smaller one is sent to the public URL unread. */
const BODY_BYTES_MAX = 1_048_576;

export interface ChallengeTerms {
  readonly host: string;
  readonly port: number;
  /** The live one. */
  readonly database: Database;
  readonly publicUrl: () => string;
}

/** Listens until it is stopped. Throws UnusableCertificate where the port cannot be had. */
export function serveChallenges({ host, port, database, publicUrl }: ChallengeTerms) {
  const server = listening({
    hostname: host,
    port,
    reusePort: false,
    development: false,
    idleTimeout: IDLE_SECONDS,
    maxRequestBodySize: BODY_BYTES_MAX,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const token = pathname.startsWith(CHALLENGES) ? pathname.slice(CHALLENGES.length) : "";
      if (TOKEN.test(token)) {
        const answer = await findChallenge(database.read, token);
        const headers = { ...closedHeaders, "Content-Type": "application/octet-stream" };
        return new Response(answer, { status: answer === null ? 404 : 200, headers });
      }
      const location = `${publicUrl()}${pathname}${search}`;
      return new Response(null, { status: 308, headers: { ...closedHeaders, Location: location } });
    },
    error: () => new Response(null, { status: 503 }),
  });
  return { port: server.port ?? port, stop: () => server.stop(true) };
}

function listening(options: Bun.Serve.Options<undefined> & { readonly port: number }) {
  try {
    return Bun.serve(options);
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    throw new UnusableCertificate(
      `Port ${options.port}, where the certificate authority looks, cannot be had (${reason}). ` +
        "Free it, or forward it to another one that DUKA_ACME_HTTP_PORT names.",
      { cause },
    );
  }
}
