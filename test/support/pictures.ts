// `bun run pictures`: makes the pictures of the guides in Chromium, from a shop of this program.

import { join } from "node:path";

import { openBrowser } from "./browser.ts";
import { openTestShop } from "./shop.ts";

const folder = join(import.meta.dir, "../../src/guides/pictures");
const BYTES_MAX = 60_000;

await using shop = await openTestShop();
await using opened = await openBrowser();

await shop.put("/v2/store", { name: "Ada's Mugs", currency: "USD" });
const product = await shop.post("/v2/products", { name: "Mug", price: "12.50", stock: 10 });
const order = await shop.post("/v2/orders", {
  line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 2 }],
});
const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });

const page = await opened.browser.newPage({
  viewport: { width: 640, height: 610 },
  deviceScaleFactor: 2,
});
await page.goto(payment.string("/authorization_url"));
// Playwright makes no WebP by itself; Chromium does.
const session = await page.context().newCDPSession(page);
const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
const picture = Buffer.from(data, "base64");
if (picture.length > BYTES_MAX) {
  throw new Error(`The picture has ${picture.length} bytes.`);
}
await Bun.write(join(folder, "payment-page.webp"), picture);
