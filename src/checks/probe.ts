// The probe: the server asks its own public URL, and so sees what visitors see. Invariant: only a program with the key of
// the shop makes the address of a probe and knows its answer, so that a stranger learns nothing and no other server
// passes for this one.

import { isObject } from "#kernel/assume.ts";
import { randomBytes } from "#kernel/random.ts";
import { realClock, SECOND_MS } from "#kernel/time.ts";
import { type Router, unlisted } from "#platform/http/router.ts";
import { type AddressRanges, isForwardedUntrusted } from "#platform/net/addresses.ts";
import { callAnywhere, type PlainAnswer } from "#platform/net/call-anywhere.ts";
import { version } from "#platform/process/version.ts";
import { SealBroken, type Vault } from "#platform/vault/vault.ts";

const PATH = "/.well-known/duka-probe";
/** The place for which the vault seals what a probe says. */
const PLACE = "probe";
const VALID_MS = 30 * SECOND_MS;
const ASK_MS = 4 * SECOND_MS;
const NONCE_BYTES = 12;

/** The header by which a proxy says whom it forwards: not sent, sent by a proxy of the settings, or by another one. */
const forwardings = ["missing", "trusted", "untrusted"] as const;
type Forwarding = (typeof forwardings)[number];

/** The outcome of a probe. */
export type Probed =
  | {
      readonly kind: "reached";
      /** The host that the request named when it arrived. */
      readonly host: string;
      readonly forwarded: Forwarding;
      readonly version: string;
    }
  | { readonly kind: "stranger"; readonly status: number }
  /** No connection: a sentence. */
  | { readonly kind: "unreachable"; readonly why: string };

export interface ProbeTerms {
  readonly vault: () => Vault;
  readonly trustedProxies: AddressRanges;
  readonly peerOf: (request: Request) => string;
}

/** Adds the address that a probe asks; for all but a valid probe it is like any that leads nowhere. */
export function mountProbe(app: Router, { vault, trustedProxies, peerOf }: ProbeTerms): void {
  app.all(
    `${PATH}/:token`,
    ({ request, params }) => {
      const nonce = nonceOf(vault(), params["token"] ?? "");
      if (nonce === null || request.method !== "GET") return new Response(null, { status: 404 });
      const forwardedFor = request.headers.get("x-forwarded-for");
      const isUntrusted = isForwardedUntrusted(peerOf(request), forwardedFor, trustedProxies);
      const sent: Forwarding = isUntrusted ? "untrusted" : "trusted";
      return Response.json(
        {
          nonce,
          host: request.headers.get("host"),
          forwarded: forwardedFor === null ? "missing" : sent,
          version,
        },
        { headers: { "Cache-Control": "no-store" } },
      );
    },
    unlisted,
  );
}

/** The number that the probe has to bring back; null for what is no probe of this shop, or an old one. */
function nonceOf(vault: Vault, token: string): string | null {
  try {
    const [until, nonce = ""] = vault.unseal(token, PLACE).split(" ");
    return realClock.now() < Number(until) ? nonce : null;
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

/** Asks the shop's public URL who answers there. Never rejects because of the network or the other side. */
export async function askProbe(publicUrl: string, vault: Vault): Promise<Probed> {
  const nonce = Buffer.from(randomBytes(NONCE_BYTES)).toString("hex");
  const token = vault.seal(`${realClock.now() + VALID_MS} ${nonce}`, PLACE);
  const url = `${publicUrl}${PATH}/${token}`;
  try {
    const answer = await callAnywhere({ method: "GET", url, headers: {}, timeoutMs: ASK_MS });
    return readProbe(answer, nonce) ?? { kind: "stranger", status: answer.status };
  } catch (error) {
    return { kind: "unreachable", why: error instanceof Error ? error.message : String(error) };
  }
}

/** Null for an answer that this shop did not give. */
function readProbe({ status, text }: PlainAnswer, nonce: string): Probed | null {
  const given = status === 200 ? parsed(text) : null;
  if (!isObject(given) || given["nonce"] !== nonce) return null;
  const forwarded = forwardings.find((one) => one === given["forwarded"]) ?? "missing";
  return {
    kind: "reached",
    host: String(given["host"]),
    forwarded,
    version: String(given["version"]),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
