// The first hour of a merchant, with the released file and a browser: from the start to a program that sells.

import { expect, setDefaultTimeout, test } from "bun:test";

import { checkOut, payOnPage, putInCart } from "../storefront/buy-in-store.ts";
import { openBrowser } from "../support/browser.ts";
import { openRunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(90_000);

test("a newcomer opens the printed link, adds a product, sells it, sees it on Home, and lets a program in", async () => {
  using scratch = openScratchFolder();
  await using duka = await openRunningDuka({ folder: scratch.path, isFromNothing: true });
  await using opened = await openBrowser();
  const page = await (await opened.browser.newContext()).newPage();
  page.setDefaultTimeout(20_000);

  // The one line of the greeting that is an address to open.
  await page.goto(/Open +(\S+)/.exec(duka.greeting)?.[1] ?? "");
  await page.getByLabel("Your name").fill("Ama");
  await page.getByLabel("Choose a password").fill("seven mugs on a quiet shelf");
  await page.getByRole("button", { name: "Become the owner" }).click();
  await page.waitForURL(/\/dashboard$/);

  await page.goto(`${new URL(page.url()).origin}/dashboard/test/products/new`);
  await page.getByLabel("Name", { exact: true }).fill("Indigo mug");
  await page.getByLabel(/^Price/).fill("12.50");
  await page.getByLabel(/^In stock/).fill("10");
  await page.locator("main form button.go").first().click();
  await page.waitForURL(/done=/);

  await page.goto(`${new URL(page.url()).origin}/dashboard/test/orders/new`);
  await page.getByLabel(/^Indigo mug/).fill("2");
  await page.getByRole("button", { name: "Show total" }).click();
  await page.getByLabel("Cash received").fill("30");
  await page.getByRole("button", { name: "Sell now" }).click();
  await page.getByText("Change to give: USD 5.00.").waitFor();

  await page.getByRole("link", { name: "Home" }).click();
  await page.waitForURL(/\/dashboard\/test$/);
  const home = (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
  expect(home).toContain("25.00");
  expect(home).toContain("2 × Indigo mug");

  await page.goto(`${new URL(page.url()).origin}/dashboard/test/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("Till");
  await page.getByRole("radio", { name: /^Everything/ }).check();
  await page.locator("main form button.go").first().click();
  const key = await page.locator(".secret code").innerText();
  const order = await duka.request("GET", "/v2/orders?limit=1", { key });

  expect(order.status).toBe(200);
  expect(await order.json()).toMatchObject({ data: [{ channel: "pos", total: 25, due: 0 }] });
});

test("the first start says in one line that there is a new shop", async () => {
  using scratch = openScratchFolder();
  await using duka = await openRunningDuka({ folder: scratch.path, isFromNothing: true });

  const { log } = await duka.end("SIGTERM");

  const told = log.split("\n").filter((line) => /new shop|migrat/i.test(line));
  expect(told.map((line) => JSON.parse(line))).toMatchObject([
    { message: "Created a new shop.", modes: ["test", "live"] },
  ]);
  expect(log).not.toContain("0000_");
});

test("a customer buys in the example storefront, and the shop's webhook is in the inbox", async () => {
  using scratch = openScratchFolder();
  await using duka = await openRunningDuka({ folder: scratch.path, isFromNothing: true });
  await using opened = await openBrowser();
  await duka.request("POST", "/v2/products", { body: { name: "Mug", price: "12.50", stock: 10 } });
  const url = `${duka.url}/hooks/test/inbox/shop`;
  await duka.request("POST", "/v2/webhooks", { body: { url, events: ["order.paid"] } });
  const page = await (await opened.browser.newContext()).newPage();
  page.setDefaultTimeout(20_000);

  await page.goto(/Store +(\S+),/.exec(duka.greeting)?.[1] ?? "");
  await putInCart(page, "Mug");
  await checkOut(page);
  await payOnPage(page);

  const order = await (await duka.request("GET", "/v2/orders?limit=1")).json();
  expect(order).toMatchObject({ data: [{ payment_status: "paid", total: 12.5 }] });
  const inbox = await until(async () => {
    const answer = await duka.request("GET", "/v2/test/inbox?name=shop");
    return (await answer.text()).includes("order.paid");
  });
  expect(inbox).toBe(true);
});

/** Whether it comes true within ten seconds. */
async function until(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isTrue()) return true;
    await Bun.sleep(100);
  }
  return false;
}
