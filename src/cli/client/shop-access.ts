// HTTP access of a command to a test shop: to the Duka of --url and --api-key, else to the server of the
// data directory, with a key that is created for the command and revoked at its end.

import { createHmac } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { invocation } from "#cli/mistakes.ts";
import { serverStarting } from "#cli/operator-commands.ts";
import { administer, retryWhileStarting } from "#cli/operator/administer.ts";
import type { commandKeyNames, CreateKeyInput } from "#cli/operator/key-commands.ts";
import { textMember } from "#cli/operator/members.ts";
import { readSettings, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { HOUR_MS, realClock } from "#kernel/time.ts";
import type { Config } from "#platform/config/config.ts";
import { callAnywhere, type PlainAnswer } from "#platform/net/call-anywhere.ts";
import { isSecret, newSecret, secretOf } from "#platform/net/signature.ts";
import { askServer, CommandFailed } from "#platform/operator/ask-server.ts";

import { ShopUnreachable } from "./shop-answer.ts";

// The secret that `duka listen` signs with. It stays the same between runs, so that a receiver is set up
// once.

const FILE = "listen.secret";
const OWNER_ONLY = 0o600;

/** The secret in the data directory, which is made if there is none. */
function keptSecret(directory: string): string {
  const path = join(directory, FILE);
  const kept = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  if (isSecret(kept)) return kept;
  const secret = newSecret();
  writeFileSync(path, `${secret}\n`, { mode: OWNER_ONLY });
  return secret;
}

/** The secret of an API key, for a shop whose data directory is elsewhere. */
function secretFrom(key: string): string {
  return secretOf(createHmac("sha256", key).update("duka listen").digest());
}

/** A killed command cannot revoke its key, which expires after a day. */
const KEY_VALID_MS = 24 * HOUR_MS;

export interface ShopOptions extends SettingOptions {
  readonly url?: string;
  readonly apiKey?: string;
}

/** The name and scopes of a key that has to be created. */
interface KeyTerms {
  readonly name: (typeof commandKeyNames)[number];
  readonly scopes: readonly string[];
}

interface ShopRequest {
  readonly method: "GET" | "POST";
  /** Including the query. */
  readonly path: string;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Disposing it revokes a key that was created for it. */
export interface ShopAccess extends AsyncDisposable {
  /** The URL of the shop, as last known. */
  readonly url: string;
  /** The shop's answer of any status. Rejects with ShopUnreachable where there is none. */
  call(request: ShopRequest): Promise<PlainAnswer>;
  /** The secret that signs forwarded events, the same in every run on this shop. */
  signingSecret(): string;
}

/**
 * Access to the test shop. Rejects with UsageFault for a live key and for one of --url and --api-key
 * alone, and with ShopUnreachable where no server runs.
 */
export async function openShopAccess(options: ShopOptions, terms: KeyTerms): Promise<ShopAccess> {
  const { url, apiKey } = options;
  if (url === undefined && apiKey === undefined) {
    return LocalShop.open(readSettings(options), terms);
  }
  if (url === undefined || apiKey === undefined) {
    throw new UsageFault("--url and --api-key must be given together.");
  }
  const address = readAddress(url);
  const key = readKey(apiKey);
  return {
    url: address,
    call: (request) => send(request, { url: address, key }),
    signingSecret: () => secretFrom(key),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Without a trailing slash or `/v2`, with which every path begins. */
function readAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageFault("--url must be the URL of a Duka, such as http://127.0.0.1:4000.");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/v2$/, "");
}

function readKey(key: string): string {
  if (key.startsWith("test_sk_")) return key;
  const isLive = key.startsWith("live_sk_");
  throw new UsageFault(
    isLive
      ? "--api-key is a live key. This command works on the test shop only: use a test key."
      : "--api-key must be a test key, which begins with test_sk_.",
  );
}

async function send(
  { path, ...request }: ShopRequest,
  { url, key }: { readonly url: string; readonly key: string },
): Promise<PlainAnswer> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
  };
  try {
    return await callAnywhere({ ...request, url: `${url}${path}`, headers });
  } catch (error) {
    throw new ShopUnreachable(error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

interface LocalKey {
  readonly id: string;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
}

/** The test shop of a data directory. Its server may restart on another port. */
class LocalShop implements ShopAccess {
  readonly #config: Config;
  readonly #terms: KeyTerms;
  #url: string;
  /** True if the last call failed, so that the next one looks the URL up again. */
  #isLost = false;
  #key: LocalKey;

  private constructor(
    config: Config,
    terms: KeyTerms,
    { url, key }: { readonly url: string; readonly key: LocalKey },
  ) {
    this.#config = config;
    this.#terms = terms;
    this.#url = url;
    this.#key = key;
  }

  static async open(config: Config, terms: KeyTerms): Promise<LocalShop> {
    const url = await addressOfServer(config.dataDirectory);
    const key = await createKey(config.dataDirectory, terms);
    return new LocalShop(config, terms, { url, key });
  }

  get url(): string {
    return this.#url;
  }

  async call(request: ShopRequest): Promise<PlainAnswer> {
    if (this.#isLost) this.#url = await addressOfServer(this.#config.dataDirectory);
    this.#isLost = false;
    if (realClock.now() - this.#key.createdAtMs > KEY_VALID_MS - HOUR_MS) await this.#renewKey();
    try {
      return await send(request, { url: this.#url, key: this.#key.text });
    } catch (error) {
      this.#isLost = true;
      throw error;
    }
  }

  signingSecret(): string {
    return keptSecret(this.#config.dataDirectory);
  }

  async #renewKey(): Promise<void> {
    const old = this.#key;
    this.#key = await createKey(this.#config.dataDirectory, this.#terms);
    await revokeKey(this.#config, old);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return revokeKey(this.#config, this.#key);
  }
}

/** The URL of the directory's server. Rejects with ShopUnreachable where none runs. */
function addressOfServer(directory: string): Promise<string> {
  return retryWhileStarting(
    async () => textMember(await runOnServer(directory, "server.address", null), "url"),
    (error) => error instanceof CommandFailed && error.code === serverStarting.code,
  );
}

async function createKey(directory: string, { name, scopes }: KeyTerms): Promise<LocalKey> {
  const createdAtMs = realClock.now();
  const input: CreateKeyInput = {
    mode: "test",
    name,
    kind: "secret",
    scopes,
    ratePerMinute: null,
    replaces: null,
    expiresAt: createdAtMs + KEY_VALID_MS,
    // Suites that wait for an event, or count them, get none of a key that they did not ask for.
    isQuiet: true,
  };
  const made = await runOnServer(directory, "keys.create", input);
  return { id: textMember(made, "id"), text: textMember(made, "key"), createdAtMs };
}

/** Works without a server too, on the databases themselves. A failure only prints a warning. */
async function revokeKey(config: Config, { id }: LocalKey): Promise<void> {
  try {
    await administer(config, { name: "keys.revoke", input: { id, isQuiet: true } });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`The key ${id} was not revoked; it expires within a day. ${reason}`);
  }
}

async function runOnServer(directory: string, command: string, input: unknown): Promise<unknown> {
  const absent = `No server runs on ${directory}. Start one with "${invocation} serve", or name a shop with --url and --api-key.`;
  try {
    const answer = await askServer(directory, command, input);
    if (answer.answered) return answer.output;
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new ShopUnreachable(absent, { cause: error });
  }
  throw new ShopUnreachable(absent);
}
