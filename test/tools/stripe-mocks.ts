// Foreign mocks of Stripe, which others wrote: packages of this folder, run by Node. They listen on all addresses by
// themselves, so that each is started with loopback.cjs.

import { join } from "node:path";

import Stripe from "stripe";

import { openScratchFolder } from "../support/scratch.ts";

const packages = join(import.meta.dir, "node_modules");
const LOOPBACK = join(import.meta.dir, "loopback.cjs");

export interface StripeMock extends AsyncDisposable {
  readonly url: string;
  /** The secret that it takes. */
  readonly key: string;
  /** The vendor's own client, which asks the mock. */
  readonly stripe: Stripe;
}

/** `emulate`: intents in two steps, sessions with a page, signed notices. */
export async function openEmulate(hook: { url: string; secret: string }): Promise<StripeMock> {
  const folder = openScratchFolder();
  const products = [{ id: "prod_1", name: "A mug" }];
  const prices = [{ id: "price_1", product_name: "A mug", currency: "eur", unit_amount: 2450 }];
  const webhooks = [{ url: hook.url, secret: hook.secret, events: ["*"] }];
  const seed = folder.file("seed.yaml");
  await Bun.write(seed, JSON.stringify({ stripe: { products, prices, webhooks } }));
  const port = freePort();
  const terms = ["--service", "stripe", "--port", String(port), "--seed", seed];
  const mock = await start(["emulate/dist/index.js", ...terms], { port, key: "test_token_admin" });
  return {
    ...mock,
    [Symbol.asyncDispose]: async () => {
      await mock[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** `stripe-stateful-mock`: charges and refunds of the API of 2020, idempotency keys, errors. */
export function openStatefulMock(): Promise<StripeMock> {
  const port = freePort();
  return start(["stripe-stateful-mock/dist/cli.js"], { port, key: "sk_test_3Fa0" });
}

async function start(
  [program = "", ...args]: readonly string[],
  { port, key }: { readonly port: number; readonly key: string },
): Promise<StripeMock> {
  const child = Bun.spawn(["node", "--require", LOOPBACK, join(packages, program), ...args], {
    env: { PATH: process.env.PATH ?? "", PORT: String(port), LOG_LEVEL: "silent", NO_COLOR: "1" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(url, child);
  const terms = { host: "127.0.0.1", port, protocol: "http" } as const;
  return {
    url,
    key,
    stripe: new Stripe(key, { ...terms, maxNetworkRetries: 0, telemetry: false }),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}

/** Waits until the program answers anything; throws if it ends before. */
async function answers(url: string, child: Bun.Subprocess): Promise<void> {
  while (child.exitCode === null) {
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      // It does not listen yet.
      await Bun.sleep(50);
    }
  }
  throw new Error(`The program ended with ${child.exitCode}.`);
}

function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = server;
  server.stop(true);
  return port;
}
