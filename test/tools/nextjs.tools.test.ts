// The shop of the guide on Next.js, built and started as a reader would: a guest buys in one browser and opens the order
// in another, from the link in the email.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Page } from "playwright-core";

import { sendDue } from "../emails/mail-shop.ts";
import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { documents } from "../support/documents.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { TOOL_MS_MAX } from "./tools.ts";

// A busy machine builds for two minutes.
setDefaultTimeout(2 * TOOL_MS_MAX);

const packages = join(import.meta.dir, "node_modules");
const guide = documents.find(({ path }) => path === "src/guides/nextjs.md")?.text ?? "";
/** A file of the guide: a block of TypeScript whose first line is a comment with its name. */
const FILE = /```tsx?\n\/\/ (\S+)\n([\s\S]*?)```/g;
/** The header in which the host of the storefront names the visitor, and a visitor. */
const VISITOR_HEADER = "x-real-ip";
const VISITOR = "203.0.113.7";
const DAYS_31 = 31 * 24 * 60 * 60;

interface Call {
  readonly path: string;
  readonly visitor: string | null;
}

let opened: OpenBrowser;
let folder: ScratchFolder;
let shop: TestShop;
let site = "";
/** The calls that Duka got from the storefront. */
const calls: Call[] = [];
const ends: (() => unknown)[] = [];

/** A port that was free a moment ago. */
function freePort(): number {
  const server = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = server;
  server.stop(true);
  return port;
}

/** Passes on to the shop what the storefront calls, and keeps what it was. */
function watchedShop(): string {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, search } = new URL(request.url);
      calls.push({ path: pathname, visitor: request.headers.get("x-forwarded-for") });
      const { method, headers, body } = request;
      headers.set("accept-encoding", "identity");
      return fetch(`${shop.url}${pathname}${search}`, { method, headers, body });
    },
  });
  ends.push(() => server.stop(true));
  return server.url.origin;
}

async function next(args: readonly string[], env: Record<string, string>, isServer = false) {
  const child = Bun.spawn(["node", join(packages, "next/dist/bin/next"), ...args], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? "", HOME: folder.path, NEXT_TELEMETRY_DISABLED: "1", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  if (isServer) {
    ends.push(async () => {
      child.kill();
      await child.exited;
    });
    return;
  }
  const printed = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(printed.join(""));
}

beforeAll(async () => {
  opened = await openBrowser();
  folder = openScratchFolder();
  const port = freePort();
  site = `http://localhost:${port}`;
  shop = await openTestShop({
    settings: { DUKA_RETURN_HOSTS: "localhost", DUKA_STOREFRONT_SERVERS: "127.0.0.1" },
  });
  await shop.post("/v2/test/seed");
  await shop.put("/v2/store", { order_url_template: `${site}/orders?token={token}` });
  for (const [, name = "", text = ""] of guide.matchAll(FILE)) {
    mkdirSync(dirname(folder.file(name)), { recursive: true });
    await Bun.write(folder.file(name), text);
  }
  await Bun.write(
    folder.file("lib/client.ts"),
    await (await fetch(`${shop.url}/client.ts`)).text(),
  );
  await Bun.write(folder.file("package.json"), "{}");
  symlinkSync(packages, folder.file("node_modules"));
  const env = {
    SHOP_URL: watchedShop(),
    SHOP_KEY: await shop.createKey({ kind: "publishable", scopes: ["storefront"] }),
    SITE_URL: site,
    VISITOR_HEADER,
  };
  await next(["build", "--webpack"], env);
  await next(["start", "--port", String(port)], env, true);
  while (!(await isUp())) await Bun.sleep(50);
});

afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  await opened[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function isUp(): Promise<boolean> {
  return fetch(`${site}/cart`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** A browser with a cookie jar of its own, whose scripts do not run. */
async function newVisitor(): Promise<Page> {
  const context = await opened.browser.newContext({
    javaScriptEnabled: false,
    extraHTTPHeaders: { [VISITOR_HEADER]: VISITOR },
  });
  return context.newPage();
}

/** Buys a lantern and returns the page of its order. */
async function buy(page: Page): Promise<void> {
  await page.goto(site);
  await page.getByRole("button", { name: "Add Solar Lantern" }).click();
  await page.getByLabel("Name").fill("Ada Mensah");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Street").fill("12 Ring Road");
  await page.getByLabel("Town").fill("Accra");
  await page.getByLabel("Country").fill("GH");
  await page.getByRole("button", { name: "Save the address" }).click();
  await page.getByLabel("Courier").check();
  await page.getByRole("button", { name: "Choose the delivery" }).click();
  await page.getByRole("button", { name: /^Pay / }).click();
}

/** The link to the order in the newest email to the guest. */
async function linkInEmail(): Promise<string> {
  await sendDue(shop, "test");
  const inbox = await shop.get("/v2/test/inbox?name=mail");
  const emails = Object.values(Object(inbox.at("/data"))).map((email) => JSON.stringify(email));
  const email = emails.find((text) => text.includes("ada@example.com")) ?? "";
  const link = new RegExp(`${site}/orders\\?token=[\\w.~-]+`).exec(email)?.[0];
  if (link === undefined) throw new Error(`No link to an order in ${email}`);
  return link;
}

test("a guest buys without scripts, and opens the order on another device until its address is hidden", async () => {
  const page = await newVisitor();

  await buy(page);
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(`${site}/orders?**`);
  const returned = await page.locator("main").innerText();
  const cookies = await page.context().cookies();
  const other = await newVisitor();
  await other.goto(await linkInEmail());
  const fromEmail = await other.locator("main").innerText();
  await shop.post("/v2/test/clock/advance", { seconds: DAYS_31 });
  await other.reload();
  const later = await other.locator("main").innerText();

  expect(returned).toContain("paid");
  expect(fromEmail).toContain("1 × Solar Lantern");
  expect(fromEmail).toContain("12 Ring Road, Accra");
  expect(later).toContain("1 × Solar Lantern");
  expect(later).toContain("The address is not shown any more.");
  expect(later).not.toContain("Ring Road");
  expect(cookies.filter(({ httpOnly, sameSite }) => !httpOnly || sameSite !== "Lax")).toEqual([]);
});

test("every call about a cart or an order names the visitor, and the catalog nobody", () => {
  const visitors = (isCatalog: boolean) =>
    new Set(
      calls
        .filter(({ path }) => path.startsWith("/v2/products") === isCatalog)
        .map(({ visitor }) => visitor),
    );

  expect(visitors(false)).toEqual(new Set([VISITOR]));
  expect(visitors(true)).toEqual(new Set([null]));
});
