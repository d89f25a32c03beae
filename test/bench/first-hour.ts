// `npm run bench:first-hour`: how long a newcomer waits, in seconds from an empty folder: to the banner, to the
// first paid order by requests, and to a purchase in a browser that is seen in the dashboard. Clones the last commit
// of this checkout and installs it with npm, whose cache decides on much of the first figure. Calls only the shop
// that it started, on this machine.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { checkOut, payOnPage, putInCart } from "../storefront/buy-in-store.ts";
import { openBrowser } from "../support/browser.ts";

const root = join(import.meta.dir, "../..");
/** Something hangs where all of it takes longer, milliseconds. */
const MS_MAX = 300_000;
/** Longer than any page takes, milliseconds. */
const PAGE_MS_MAX = 20_000;

const folder = mkdtempSync(join(tmpdir(), "duka-first-hour-"));
const clone = join(folder, "duka");
const startedAt = performance.now();
/** The process that runs now; it leads a group of its own, so that what it started ends with it. */
let running: Bun.Subprocess | null = null;

const deadline = setTimeout(() => {
  console.error(`Not done after ${MS_MAX / 1000} s.`);
  tidyUp();
  process.exit(1);
}, MS_MAX);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    tidyUp();
    process.exit(1);
  });
}

try {
  await run(["git", "clone", "--quiet", root, clone], folder);
  report("cloned");
  await run(["npm", "ci", "--no-audit", "--no-fund", "--prefer-offline"], clone);
  report("installed");
  const shop = await start();
  report("banner");
  await payByRequests(shop);
  report("first order paid by requests");
  await buyInBrowser(shop);
  report("purchase in a browser seen in the dashboard");
} finally {
  clearTimeout(deadline);
  tidyUp();
}

interface StartedShop {
  readonly url: string;
  readonly key: string;
  /** The link with which the first owner signs in. */
  readonly door: string;
}

function report(what: string): void {
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${what}`);
}

function tidyUp(): void {
  if (running !== null && running.exitCode === null) process.kill(-running.pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

function spawn(command: readonly string[], cwd: string) {
  const env = { ...process.env, DUKA_PORT: "0" };
  const child = Bun.spawn([...command], {
    cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    detached: true,
  });
  running = child;
  return child;
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, cwd);
  await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed.`);
}

/** Starts the shop as README says, and reads its banner. */
async function start(): Promise<StartedShop> {
  const decoder = new TextDecoder();
  let banner = "";
  for await (const part of spawn(["npm", "start"], clone).stdout) {
    banner += decoder.decode(part, { stream: true });
    const found = (pattern: RegExp) => pattern.exec(banner)?.[1];
    const [url, key, door] = [
      found(/API +(\S+)\/v2\n/),
      found(/(test_sk_\w+)/),
      found(/Open +(\S+)\n/),
    ];
    if (url !== undefined && key !== undefined && door !== undefined) return { url, key, door };
  }
  throw new Error(`The shop ended: ${banner}`);
}

async function ask(shop: StartedShop, path: string, body: object): Promise<string> {
  const answer = await fetch(`${shop.url}/v2${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${shop.key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${text}`);
  return text;
}

/** The first value of a field, as `grep` takes it in README. */
function take(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`No ${pattern.source} in ${text}`);
  return found;
}

/** The first sale of README: a product, an order, its payment. */
async function payByRequests(shop: StartedShop): Promise<void> {
  const product = await ask(shop, "/products", { name: "Mug", price: "12.50", stock: 10 });
  const variantId = take(product, /"(var_\w+)"/);
  const order = await ask(shop, "/orders", {
    line_items: [{ variant_id: variantId, quantity: 2 }],
  });
  const payment = await ask(shop, "/payments/initialize", {
    order_id: take(order, /"(ord_\w+)"/),
    method: "card",
    card_token: "pm_card_visa",
  });
  take(payment, /"status":\s*"(succeeded)"/);
}

/** A customer buys in the example storefront, and the merchant sees it in the dashboard. */
async function buyInBrowser(shop: StartedShop): Promise<void> {
  await using opened = await openBrowser();
  const customer = await (await opened.browser.newContext()).newPage();
  customer.setDefaultTimeout(PAGE_MS_MAX);
  await customer.goto(`${shop.url}/test/store`);
  await putInCart(customer, "Mug");
  await checkOut(customer);
  await payOnPage(customer);

  const merchant = await (await opened.browser.newContext()).newPage();
  merchant.setDefaultTimeout(PAGE_MS_MAX);
  await merchant.goto(shop.door);
  await merchant.getByLabel("Your name").fill("Ama");
  await merchant.getByLabel("Choose a password").fill("seven mugs on a quiet shelf");
  await merchant.getByRole("button", { name: "Become the owner" }).click();
  await merchant.waitForURL(/\/dashboard$/);
  // The printed link names another host than the API, and the session is that host's.
  await merchant.goto(new URL("/dashboard/test/orders", shop.door).href);
  await merchant.getByText("Ada Mensah").first().waitFor();
}
