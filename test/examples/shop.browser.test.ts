// The example of a merchant's own page, as its README says to build it: it compiles, sells, and can be read.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";

import axe from "axe-core";
import type { Page } from "playwright-core";

import { clientSource } from "#client/emit-client.ts";
import { document } from "#interface.ts";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

setDefaultTimeout(60_000);

const example = join(import.meta.dir, "../../examples/shop");
const files = new Map<string, Blob>();
let opened: OpenBrowser;
let folder: ScratchFolder;
let shop: TestShop;

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    const file = files.get(pathname === "/" ? "/index.html" : pathname);
    return file === undefined ? new Response(null, { status: 404 }) : new Response(file);
  },
});
const origin = `http://127.0.0.1:${server.port}`;

beforeAll(async () => {
  opened = await openBrowser();
  folder = openScratchFolder();
  shop = await openTestShop({ settings: { DUKA_CORS_ORIGINS: origin } });
  await shop.post("/v2/test/seed");
  for (const name of ["index.html", "shop.css", "shop.ts", "tsconfig.json"]) {
    cpSync(join(example, name), folder.file(name));
  }
  await Bun.write(folder.file("duka.ts"), clientSource(document()));
  const page = await Bun.file(folder.file("index.html")).text();
  const own = page
    .replace("http://127.0.0.1:4000", shop.url)
    .replace("test_pk_…", await shop.createKey({ scopes: ["storefront"] }));
  await Bun.write(folder.file("index.html"), own);
  const { outputs } = await Bun.build({ entrypoints: [folder.file("index.html")] });
  for (const output of outputs) {
    files.set(output.path.replace(/^\./, ""), new Blob([await output.text()], output));
  }
});

afterAll(async () => {
  await server.stop(true);
  await shop[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
  await opened[Symbol.asyncDispose]();
});

interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained of. */
  readonly complaints: readonly string[];
}

async function visit({ width = 390, isDark = false } = {}): Promise<Visit> {
  const context = await opened.browser.newContext({
    viewport: { width, height: 844 },
    colorScheme: isDark ? "dark" : "light",
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  await page.goto(origin);
  await product(page, "Solar Lantern").waitFor();
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

const product = (page: Page, name: string) =>
  page.getByRole("list", { name: "Products" }).getByRole("listitem").filter({ hasText: name });

/** Puts one unit into the cart, which then has as many as are named. */
async function add(page: Page, name: string, units: number): Promise<void> {
  await product(page, name).getByRole("button", { name: "Add to cart" }).click();
  await page.getByText(`Cart (${units})`).waitFor();
}

async function checkOut(page: Page): Promise<void> {
  await page.getByLabel("Courier").check();
  await page.getByText("$40.80").waitFor();
  await page.getByLabel("Name").fill("Ada Mensah");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Street").fill("12 Ring Road");
  await page.getByLabel("Town").fill("Accra");
  await page.getByLabel("Country").fill("GH");
  await page.getByRole("button", { name: "Pay" }).click();
}

test("the example compiles with the client that Duka emits", () => {
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, "check", "--no-script"], {
    cwd: folder.path,
  });

  expect({ exitCode, said: exitCode === 0 ? "" : stdout.toString() }).toEqual({
    exitCode: 0,
    said: "",
  });
});

test("a customer fills a cart that survives a reload, pays, and is thanked", async () => {
  await using visited = await visit();
  const { page } = visited;
  await add(page, "Solar Lantern", 1);
  await page.reload();
  await page.getByText("Cart (1)").waitFor();

  await checkOut(page);
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByText("Thank you: $40.80 is paid.").waitFor();

  const newest = (await shop.get("/v2/orders?limit=1")).at("/data/0");
  expect(newest).toMatchObject({
    payment_status: "paid",
    customer: { email: "ada@example.com" },
    line_items: [{ name: "Solar Lantern", quantity: 1 }],
  });
  expect(await page.getByText("Cart (0)").isVisible()).toBeTrue();
  expect(visited.complaints).toEqual([]);
});

test("a customer chooses a variant and changes how many", async () => {
  await using visited = await visit();
  const { page } = visited;
  await product(page, "Everyday T-Shirt").getByRole("combobox").selectOption("$15.00, M / White");
  await add(page, "Everyday T-Shirt", 1);

  await page.getByLabel("Quantity of Everyday T-Shirt").fill("2");
  await page.getByLabel("Quantity of Everyday T-Shirt").blur();
  await page.getByText("Cart (2)").waitFor();
  await page.getByLabel("Quantity of Everyday T-Shirt").fill("0");
  await page.getByLabel("Quantity of Everyday T-Shirt").blur();

  await page.getByText("Nothing is in it yet.").waitFor();
  expect(visited.complaints).toEqual([]);
});

test("an order whose payment could not begin is paid at the next try", async () => {
  await using visited = await visit();
  const { page } = visited;
  await add(page, "Solar Lantern", 1);
  await page.route("**/initialize", (route) => route.abort("internetdisconnected"));
  await checkOut(page);
  await page.getByText("got no answer.").waitFor();
  await page.unroute("**/initialize");

  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByText("Thank you: $40.80 is paid.").waitFor();

  expect((await shop.get("/v2/orders?limit=1")).at("/data/0/payment_status")).toBe("paid");
  expect(visited.complaints).toEqual([]);
});

test("a customer who cancels the payment reads what became of it", async () => {
  await using visited = await visit();
  const { page } = visited;
  await add(page, "Solar Lantern", 1);

  await checkOut(page);
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.getByText("Not paid yet: failed.").waitFor();
  expect(visited.complaints).toEqual([]);
});

test.each([
  ["a phone", { width: 390 }],
  ["a phone at night", { width: 390, isDark: true }],
  ["a computer", { width: 1280 }],
  ["a computer at night", { width: 1280, isDark: true }],
])("the page can be read on %s", async (_, terms) => {
  await using visited = await visit(terms);
  const { page } = visited;
  await add(page, "Solar Lantern", 1);
  await page.waitForFunction("!document.querySelector('main').inert");

  await page.evaluate(axe.source);
  const found: string[] = await page.evaluate(
    `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].target))`,
  );
  const isWide: boolean = await page.evaluate("document.body.scrollWidth > innerWidth");

  expect(found).toEqual([]);
  expect(isWide).toBeFalse();
});
