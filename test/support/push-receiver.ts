// A push service on loopback: it checks who sends (RFC 8292), decrypts with a library of others what browsers would
// (RFC 8291), and answers as a test says.

import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";

import { decrypt } from "http_ece";

import { isObject } from "#kernel/assume.ts";
import { type CallOut, openCallOut } from "#platform/net/call-out.ts";
import { alsoLoopback } from "#platform/net/target-url.ts";
import { pointKey, type SubscriptionKeys } from "#platform/push/encrypt.ts";

/** A browser that subscribed: what it gives the shop, and how it reads messages. */
export interface BrowserKeys {
  readonly keys: SubscriptionKeys;
  readonly decrypt: (body: Uint8Array) => string;
}

export function newBrowserKeys(): BrowserKeys {
  const privateKey = createECDH("prime256v1");
  privateKey.generateKeys();
  const authSecret = randomBytes(16).toString("base64url");
  return {
    keys: { p256dh: privateKey.getPublicKey("base64url"), auth: authSecret },
    decrypt: (body) =>
      decrypt(Buffer.from(body), { version: "aes128gcm", privateKey, authSecret }).toString(),
  };
}

/** A message that the service got. */
export interface PushedMessage {
  /** The path of the subscription. */
  readonly path: string;
  /** The payload, as the browser reads it; null if it cannot. */
  readonly payload: unknown;
  readonly bytes: number;
  readonly headers: Headers;
  /** The `sub` of the token; null if its signature, origin or end is wrong. */
  readonly contact: string | null;
}

export interface PushReceiver extends AsyncDisposable {
  /** The network of the shop: it finds the service by its public name. */
  readonly callOut: CallOut;
  readonly heard: readonly PushedMessage[];
  /** What a browser gives the shop when it subscribes here. */
  subscribe(path?: string): SubscriptionKeys & { readonly endpoint: string };
  /** The status of the answers from now on; null: none comes. */
  answer(status: number | null): void;
}

const ORIGIN = "https://push.example.net";
const DAY_S = 86_400;

/** Opens the service on a free port. */
export function openPushReceiver(): PushReceiver {
  const heard: PushedMessage[] = [];
  const browsers = new Map<string, BrowserKeys>();
  let status: number | null = 201;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    development: false,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      const body = new Uint8Array(await request.arrayBuffer());
      const { headers } = request;
      heard.push({
        path,
        payload: payloadOf(browsers.get(path), body),
        bytes: body.length,
        headers,
        contact: contactOf(headers.get("authorization") ?? ""),
      });
      if (status === null) await new Promise(() => {});
      return new Response(null, { status: status ?? 500 });
    },
  });
  const call = openCallOut();
  return {
    heard,
    callOut: ({ url, ...rest }) =>
      call({
        ...rest,
        url: url.startsWith(`${ORIGIN}/`) ? url.replace(ORIGIN, server.url.origin) : url,
        reach: alsoLoopback,
      }),
    subscribe: (path = `/push/${browsers.size + 1}`) => {
      const browser = newBrowserKeys();
      browsers.set(path, browser);
      return { endpoint: `${ORIGIN}${path}`, ...browser.keys };
    },
    answer: (next) => {
      status = next;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function payloadOf(browser: BrowserKeys | undefined, body: Uint8Array): unknown {
  try {
    return browser === undefined ? null : JSON.parse(browser.decrypt(body));
  } catch {
    return null;
  }
}

/** Checks the header as RFC 8292 says; null where it does not hold. */
function contactOf(header: string): string | null {
  const [, head = "", body = "", signature = "", k = ""] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  if (!isSignedBy(k, `${head}.${body}`, signature)) return null;
  const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
  return isObject(claims) && isForNow(claims) ? String(claims["sub"]) : null;
}

function isForNow({ aud, exp }: Readonly<Record<string, unknown>>): boolean {
  const leftS = Number(exp) - Date.now() / 1_000;
  return aud === ORIGIN && leftS > 0 && leftS <= DAY_S;
}

/** Returns true if the text is signed with the key of this point, in base64url. */
export function isSignedBy(k: string, text: string, signature: string): boolean {
  const key = createPublicKey({ key: pointKey(Buffer.from(k, "base64url")), format: "jwk" });
  const terms = { key, dsaEncoding: "ieee-p1363" } as const;
  return verify("sha256", Buffer.from(text), terms, Buffer.from(signature, "base64url"));
}
