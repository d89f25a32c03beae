// `bun run pictures`: makes the pictures of README and the guides in Chromium, from a seeded shop of this program
// at a fixed time, so that they show the same whenever they are made; and the dashboard's icon as a PNG.

import "#nouns.ts";

import { join } from "node:path";

import type { BrowserContext } from "playwright-core";

import { openDashboard } from "../dashboard/dashboard-shop.ts";
import { openBrowser } from "../support/browser.ts";

const folder = join(import.meta.dir, "../../src/guides/pictures");
const BYTES_MAX = 60_000;
/** The shop's day is more than half over. */
const AFTERNOON_MS = 7 * 3_600_000;
/** Tried one after the other, until the picture is small enough. */
const QUALITIES = [85, 75, 65, 50];

const phone = { width: 390, height: 780 };
const desk = { width: 1280, height: 800 };

await using dashboard = await openDashboard();
await using opened = await openBrowser();
const { shop, owner } = dashboard;
shop.clock.advance(AFTERNOON_MS);

await shop.put("/v2/store", {
  name: "Akwaaba Crafts",
  currency: "GHS",
  timezone: "Africa/Accra",
  country: "GH",
});
await shop.put("/v2/store", {
  locale: "en-GH",
  brand_color: "#a63d14",
  contact_email: "hello@akwaaba.example",
  contact_phone: "+233302221234",
  support_line: "Open Monday to Saturday, 9 to 18.",
});
await shop.post("/v2/test/seed", {});
const paid = await shop.get("/v2/orders?payment_status=paid&limit=1");
const unpaid = await shop.get("/v2/orders?payment_status=unpaid&status=open&limit=1");
const payment = await shop.post("/v2/payments/initialize", {
  order_id: unpaid.string("/data/0/id"),
  method: "gateway",
});

const contexts = {
  phone: await signedIn(phone),
  desk: await signedIn(desk),
};
await take("home", contexts.desk, "/dashboard/test");
await take("home-phone", contexts.phone, "/dashboard/test");
await take("orders", contexts.desk, "/dashboard/test/orders");
await take("order", contexts.desk, `/dashboard/test/orders/${paid.string("/data/0/id")}`);
await take("payment-page", contexts.phone, payment.string("/authorization_url"));
await take("order-page", contexts.phone, paid.string("/data/0/status_url"));
await take("store", contexts.phone, "/test/store");
await drawIcon();

/** Launchers cut their own shape out of the icon, so the whole square is filled. */
async function drawIcon(): Promise<void> {
  const assets = join(import.meta.dir, "../../src/dashboard/assets");
  const icon = (await Bun.file(join(assets, "icon.svg")).text()).replace('rx="14"', "");
  const page = await opened.browser.newPage({ viewport: { width: 512, height: 512 } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${icon}`);
  await page.screenshot({ path: join(assets, "icon.png") });
}

/** A browser of the owner; people see its pictures at half their size. */
async function signedIn(viewport: typeof phone): Promise<BrowserContext> {
  const { browser } = opened;
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: 1.5,
    colorScheme: "light",
  });
  const { url } = shop;
  await context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url })));
  return context;
}

/** Writes what a page shows first. Throws for an error page, and if it is too large at every quality. */
async function take(name: string, context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage();
  const answer = await page.goto(new URL(address, shop.url).href);
  if (answer?.status() !== 200) throw new Error(`${address} answers ${answer?.status()}.`);
  // A font that is not there at once is used from the second page on.
  await page.reload();
  await page.evaluate("document.fonts.ready");
  // Home follows its news for as long as it is open, so the network is never idle there.
  if (name === "store") await page.waitForLoadState("networkidle");
  // Playwright makes no WebP by itself; Chromium does.
  const session = await context.newCDPSession(page);
  for (const quality of QUALITIES) {
    const shot = await session.send("Page.captureScreenshot", { format: "webp", quality });
    const picture = Buffer.from(shot.data, "base64");
    if (picture.length > BYTES_MAX) continue;
    await Bun.write(join(folder, `${name}.webp`), picture);
    return page.close();
  }
  throw new Error(`The picture ${name} is larger than ${BYTES_MAX} bytes.`);
}
