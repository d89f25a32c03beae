// Orders a certificate of an authority by ACME (RFC 8555) with challenges over HTTP. Whatever the authority answers
// becomes a certificate that fits its key and its names, or an `AcmeFault`.

import { type KeyObject, X509Certificate } from "node:crypto";

import { isObject } from "#kernel/assume.ts";
import { realClock, SECOND_MS } from "#kernel/time.ts";
import type { Ask, Reply } from "#platform/net/ask.ts";
import { onlyPublic, plainHost, type Reach } from "#platform/net/target-url.ts";

import { certificateRequest } from "./der.ts";
import { keyAuthorization, signedBody } from "./jws.ts";

const CALL_MS_MAX = 30_000;
/** An authority that makes nonces for several servers may know one of them late. */
const NONCE_TRIES = 8;
/** How often the authority is asked whether it is done, and the pauses between where it names none: each twice the last. */
const LOOKS_MAX = 30;
const LOOK_PAUSE_MS = 250;
const LOOK_PAUSE_MS_MAX = 15 * SECOND_MS;
/** More is no answer of an authority: the longest chains have 10 KB. */
const ANSWER_BYTES_MAX = 65_536;
const ERROR = "urn:ietf:params:acme:error:";

/** No certificate, and why: in words for the operator. */
export class AcmeFault extends Error {
  /** The type of the problem that the authority named, without its prefix; null if it named none. */
  readonly type: string | null;
  /** How long it asks not to be asked again, milliseconds. */
  readonly retryAfterMs: number;

  constructor(
    message: string,
    {
      type = null,
      retryAfterMs = 0,
    }: { readonly type?: string | null; readonly retryAfterMs?: number } = {},
  ) {
    super(message);
    this.name = "AcmeFault";
    this.type = type;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface AcmeTerms {
  readonly ask: Ask;
  /** The URL of the authority's directory. */
  readonly directory: string;
  readonly key: KeyObject;
  /** The URL of the account; null until it is made. */
  readonly account: string | null;
  readonly signal: AbortSignal;
}

interface Answered {
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly location: string | null;
  readonly retryAfterMs: number;
}

/** Afterwards the answer to the challenge is served. */
export type PutChallenge = (token: string, answer: string) => Promise<void>;

/** The authority, as the holder of one account sees it. */
export class Authority {
  readonly #terms: AcmeTerms;
  readonly #reach: Reach;
  #account: string | null;
  #urls: Readonly<Record<string, unknown>> | null = null;
  #nonce: string | null = null;

  constructor(terms: AcmeTerms) {
    this.#terms = terms;
    this.#account = terms.account;
    // The operator named its host, which may be in a private network.
    const host = plainHost(new URL(terms.directory).hostname);
    this.#reach = { ...onlyPublic, hosts: [host] };
  }

  /** The URL of the account of this key; makes one where there is none. The operator accepts the authority's terms. */
  async openAccount(email: string): Promise<string> {
    const contact = [`mailto:${email}`];
    const asked = { termsOfServiceAgreed: true, contact };
    const { location } = await this.#post(await this.#urlOf("newAccount"), asked);
    this.#account = location ?? fail("The authority named no account.");
    return this.#account;
  }

  /** The chain of a new certificate for these names and this key, as PEM. */
  async order(
    names: readonly string[],
    { key, put }: { readonly key: KeyObject; readonly put: PutChallenge },
  ): Promise<string> {
    const identifiers = names.map((value) => ({ type: "dns", value }));
    const made = await this.#post(await this.#urlOf("newOrder"), { identifiers });
    const order = made.location ?? fail("The authority named no order.");
    for (const url of textsIn(made.body["authorizations"])) await this.#authorize(url, put);
    const csr = certificateRequest(names, key).toString("base64url");
    await this.#post(textOf(made.body["finalize"], "finalize"), { csr });
    const done = await this.#untilValid(order);
    const { text } = await this.#post(textOf(done["certificate"], "certificate"), null);
    return requireFit(text, names, key);
  }

  async #authorize(url: string, put: PutChallenge): Promise<void> {
    const { body } = await this.#post(url, null);
    if (body["status"] === "valid") return;
    const found = objectsIn(body["challenges"]).find(({ type }) => type === "http-01");
    if (found === undefined) return fail("The authority offers no challenge over HTTP.");
    const token = textOf(found["token"], "token");
    await put(token, keyAuthorization(token, this.#terms.key));
    await this.#post(textOf(found["url"], "url"), {});
    await this.#untilValid(url);
  }

  /** Returns the order or authorization at the URL once it is valid. Throws if it becomes invalid. */
  async #untilValid(url: string): Promise<Answered["body"]> {
    for (let look = 1; look <= LOOKS_MAX; look += 1) {
      const { body, retryAfterMs } = await this.#post(url, null);
      const status = String(body["status"]);
      if (status === "valid") return body;
      if (!["pending", "processing", "ready"].includes(status)) throw faultIn(body);
      const pauseMs = retryAfterMs === 0 ? LOOK_PAUSE_MS * 2 ** (look - 1) : retryAfterMs;
      await Bun.sleep(Math.min(pauseMs, LOOK_PAUSE_MS_MAX));
    }
    return fail("The authority was not done in time.");
  }

  async #urlOf(name: string): Promise<string> {
    this.#urls ??= (await this.#call(this.#terms.directory, null)).body;
    return textOf(this.#urls[name], name);
  }

  async #post(url: string, payload: object | null): Promise<Answered> {
    for (let tries = 1; ; tries += 1) {
      try {
        const nonce = this.#nonce ?? (await this.#newNonce());
        this.#nonce = null;
        const { key } = this.#terms;
        const body = signedBody({ key, account: this.#account, nonce, url }, payload);
        return await this.#call(url, body);
      } catch (error) {
        const isNonce = error instanceof AcmeFault && error.type === "badNonce";
        if (!isNonce || tries === NONCE_TRIES) throw error;
      }
    }
  }

  async #newNonce(): Promise<string> {
    await this.#call(await this.#urlOf("newNonce"), null);
    return this.#nonce ?? fail("The authority sent no nonce.");
  }

  /** Asks with GET, or posts a signed body. */
  async #call(url: string, body: string | null): Promise<Answered> {
    const { ask, signal } = this.#terms;
    const reply = await ask({
      method: body === null ? "GET" : "POST",
      url,
      headers: {},
      body: body === null ? null : { type: "application/jose+json", content: body },
      reach: this.#reach,
      reads: "beginning",
      timeoutMs: CALL_MS_MAX,
      signal,
    });
    if (reply.failure !== null) {
      return fail(`The authority at ${new URL(url).host} cannot be asked: ${reply.failure}.`);
    }
    this.#nonce = reply.headers.get("replay-nonce");
    if (reply.bytes.length >= ANSWER_BYTES_MAX)
      fail("The authority's answer has more than 64 KiB.");
    const answered = read(reply);
    if (reply.status >= 400) throw faultIn({ error: answered.body }, answered.retryAfterMs);
    return answered;
  }
}

function read({ headers, bytes }: Reply & { readonly failure: null }): Answered {
  const text = Buffer.from(bytes).toString();
  return {
    text,
    body: parsed(text),
    location: headers.get("location"),
    retryAfterMs: retryAfter(headers.get("retry-after")),
  };
}

function parsed(text: string): Answered["body"] {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // A chain is no JSON, and an empty answer is none.
    return {};
  }
}

/** Seconds, or an instant (RFC 9110, 10.2.3). */
function retryAfter(given: string | null): number {
  if (given === null) return 0;
  if (/^\d{1,9}$/.test(given)) return Number(given) * SECOND_MS;
  const at = Date.parse(given);
  return Number.isNaN(at) ? 0 : Math.max(0, at - realClock.now());
}

/** The fault of an order or authorization, or of one of its challenges. */
function faultIn(body: Answered["body"], retryAfterMs = 0): AcmeFault {
  const ofChallenge = objectsIn(body["challenges"]).map((challenge) => challenge["error"]);
  const error = [body["error"], ...ofChallenge].find(isObject) ?? {};
  const { type: named, detail } = error;
  const type = typeof named === "string" ? named.replace(ERROR, "") : "unknown";
  const words = typeof detail === "string" ? detail : "no detail";
  return new AcmeFault(`${type}: ${words}`, { type, retryAfterMs });
}

/** The chain, if its first certificate is of the key and of each name. */
function requireFit(chain: string, names: readonly string[], key: KeyObject): string {
  let leaf: X509Certificate;
  try {
    leaf = new X509Certificate(chain);
  } catch {
    return fail("The authority sent no certificate.");
  }
  if (!leaf.checkPrivateKey(key)) fail("The authority sent a certificate of another key.");
  const missing = names.find((name) => leaf.checkHost(name) === undefined);
  if (missing !== undefined) fail(`The authority sent a certificate that is not for ${missing}.`);
  return chain;
}

function fail(message: string): never {
  throw new AcmeFault(message);
}

function textOf(value: unknown, name: string): string {
  return typeof value === "string" ? value : fail(`The authority's answer has no ${name}.`);
}

function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

function objectsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
