// How a command speaks to a test shop over HTTP: to any Duka whose address and key it is told, else
// to the server of its data directory, with a key of its own that ends with the command.

import { administer } from "#cli/operator/administer.ts";
import type { CreateKeyInput } from "#cli/operator/key-commands.ts";
import { textMember } from "#cli/operator/members.ts";
import { serverStarting } from "#cli/operator/server-commands.ts";
import { readSettings, type SettingOptions } from "#cli/operator/settings.ts";
import { UsageFault } from "#cli/operator/usage-fault.ts";
import { realClock } from "#kernel/time.ts";
import type { Config } from "#platform/config/config.ts";
import { callAnywhere, type PlainAnswer } from "#platform/net/call-anywhere.ts";
import { askServer, CommandFailed } from "#platform/socket/ask-server.ts";

import { ShopUnreachable } from "./shop-fault.ts";

const HOUR_MS = 3_600_000;
/** A command that is killed leaves its key behind: it opens nothing any more after a day. */
const KEY_VALID_MS = 24 * HOUR_MS;
/** A server that starts listens within moments; it is asked again meanwhile. */
const STARTING_ATTEMPTS = 50;
const STARTING_PAUSE_MS = 100;

export interface ShopOptions extends SettingOptions {
  readonly url?: string;
  readonly apiKey?: string;
}

/** What a key is made for, where one has to be made. */
interface Purpose {
  readonly name: string;
  readonly scopes: readonly string[];
}

interface ShopRequest {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Disposing it takes back what was made for it. */
export interface ShopAccess extends AsyncDisposable {
  /** Where the shop was reached last. */
  readonly url: string;
  /** The shop's answer, whatever it is. Rejects with ShopUnreachable where there is none. */
  call(request: ShopRequest): Promise<PlainAnswer>;
}

/**
 * A way to the test shop. Rejects with a sentence for a live key, for half of what names another
 * Duka, and where no server runs.
 */
export async function openShopAccess(options: ShopOptions, purpose: Purpose): Promise<ShopAccess> {
  const { url, apiKey } = options;
  if (url === undefined && apiKey === undefined) {
    return OwnShop.open(readSettings(options), purpose);
  }
  if (url === undefined || apiKey === undefined) {
    throw new UsageFault("--url and --api-key belong together: where the shop is, and its key.");
  }
  const address = readAddress(url);
  const key = readKey(apiKey);
  return {
    url: address,
    call: (request) => send(request, { url: address, key }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Without a slash at the end, and without the `/v2` that every path begins with. */
function readAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageFault("--url is where a Duka is, such as http://127.0.0.1:4000.");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/v2$/, "");
}

function readKey(key: string): string {
  if (key.startsWith("test_sk_")) return key;
  const isLive = key.startsWith("live_sk_");
  throw new UsageFault(
    isLive
      ? "This is a live key. Only the test shop is listened to and tried out: use a test key."
      : "--api-key is the key of a test shop: it begins with test_sk_.",
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

interface OwnKey {
  readonly id: string;
  readonly text: string;
  readonly madeAtMs: number;
}

/** The shop of a data directory; its server may come back under another address. */
class OwnShop implements ShopAccess {
  readonly #config: Config;
  readonly #purpose: Purpose;
  #url: string;
  /** Whether nobody answered there, so that it is asked for anew. */
  #isLost = false;
  #key: OwnKey;

  private constructor(
    of: { readonly config: Config; readonly purpose: Purpose },
    found: { readonly url: string; readonly key: OwnKey },
  ) {
    this.#config = of.config;
    this.#purpose = of.purpose;
    this.#url = found.url;
    this.#key = found.key;
  }

  static async open(config: Config, purpose: Purpose): Promise<OwnShop> {
    const url = await addressOfServer(config.dataDirectory);
    const key = await makeKey(config.dataDirectory, purpose);
    return new OwnShop({ config, purpose }, { url, key });
  }

  get url(): string {
    return this.#url;
  }

  async call(request: ShopRequest): Promise<PlainAnswer> {
    if (this.#isLost) this.#url = await addressOfServer(this.#config.dataDirectory);
    this.#isLost = false;
    if (realClock.now() - this.#key.madeAtMs > KEY_VALID_MS - HOUR_MS) await this.#renewKey();
    try {
      return await send(request, { url: this.#url, key: this.#key.text });
    } catch (error) {
      this.#isLost = true;
      throw error;
    }
  }

  async #renewKey(): Promise<void> {
    const old = this.#key;
    this.#key = await makeKey(this.#config.dataDirectory, this.#purpose);
    await revokeKey(this.#config, old);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return revokeKey(this.#config, this.#key);
  }
}

/** Where the server of the directory listens. Rejects with ShopUnreachable where none runs. */
async function addressOfServer(directory: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return textMember(await ask(directory, "server.address", null), "url");
    } catch (error) {
      const isStarting = error instanceof CommandFailed && error.code === serverStarting.code;
      if (!isStarting || attempt === STARTING_ATTEMPTS) throw error;
    }
    await Bun.sleep(STARTING_PAUSE_MS);
  }
}

async function makeKey(directory: string, { name, scopes }: Purpose): Promise<OwnKey> {
  const madeAtMs = realClock.now();
  const input: CreateKeyInput = {
    mode: "test",
    name,
    scopes,
    ratePerMinute: null,
    expiresAt: madeAtMs + KEY_VALID_MS,
  };
  const made = await ask(directory, "keys.create", input);
  return { id: textMember(made, "id"), text: textMember(made, "key"), madeAtMs };
}

/** Also where the server has ended meanwhile: then in the directory itself. */
async function revokeKey(config: Config, { id }: OwnKey): Promise<void> {
  try {
    await administer(config, "keys.revoke", { id });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`The key ${id} was not revoked; it ends by itself within a day. ${reason}`);
  }
}

async function ask(directory: string, command: string, input: unknown): Promise<unknown> {
  const absent = `No server runs on ${directory}. Start one with "duka serve", or name another with --url and --api-key.`;
  try {
    const answer = await askServer(directory, command, input);
    if (answer.answered) return answer.output;
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new ShopUnreachable(absent, { cause: error });
  }
  throw new ShopUnreachable(absent);
}
