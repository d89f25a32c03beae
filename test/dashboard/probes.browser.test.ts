// Whatever a customer or a program writes into the shop is text on every page.

import { expect, test } from "bun:test";

import { openBrowser } from "../support/browser.ts";
import { addressesOf } from "./addresses.ts";
import { openDashboard } from "./dashboard-shop.ts";

/** Short enough for every text. */
const PROBE = `"'><img src=x onerror=alert(1)><script>alert(1)</script>`;

test("no text of the shop makes an element or runs, on any page", async () => {
  await using dashboard = await openDashboard();
  const { shop } = dashboard;
  const sent = async (method: "post" | "put", path: string, body: object) => {
    const answer = await shop[method](path, body);
    if (answer.status >= 400) throw new Error(`${path}: ${answer.text}`);
    return answer;
  };
  await sent("put", "/v2/store", { name: `Shop ${PROBE}`, country: "GH", legal_name: PROBE });
  const product = await sent("post", "/v2/products", {
    name: `Mug ${PROBE}`,
    description: PROBE,
    category: PROBE,
    tags: [PROBE.slice(0, 40)],
    options: [{ name: `Size ${PROBE}`, values: [PROBE] }],
    variants: [
      {
        options: { [`Size ${PROBE}`]: PROBE },
        sku: PROBE,
        prices: [{ currency: "USD", amount: "12.50" }],
        stock: 3,
      },
    ],
  });
  const variant = product.string("/variants/0/id");
  await sent("put", `/v2/inventory/${variant}`, { adjust: -1, reason: "damage", note: PROBE });
  const order = await sent("post", "/v2/orders", {
    line_items: [
      { variant_id: variant, quantity: 1 },
      { name: PROBE, unit_price: "2.50", quantity: 1 },
    ],
    customer: { name: PROBE, phone: "+233551234987" },
    shipping_address: { line1: PROBE, city: PROBE, country: "GH" },
    payment_method: "cash_on_delivery",
    channel: "probe",
    notes: PROBE,
    metadata: { merchant_note: PROBE },
    discount: { title: PROBE, amount: "1.00" },
  });
  await sent("put", `/v2/orders/${order.id}/fulfill`, {
    tracking: { carrier: PROBE, number: PROBE },
    line_items: [{ line_item_id: order.string("/line_items/0/id"), quantity: 1 }],
  });
  await sent("put", `/v2/customers/${order.string("/customer_id")}`, {
    addresses: [{ name: PROBE, line1: PROBE, city: PROBE }],
  });
  await sent("post", "/v2/tax-rates", {
    name: PROBE,
    rate: "15",
    country: "GH",
    valid_from: "2026-01-01",
  });
  await sent("post", "/v2/shipping-zones", { name: PROBE, places: [{ country: "GH" }] });
  await sent("post", "/v2/pickup-locations", {
    name: PROBE,
    address: { line1: PROBE, country: "GH" },
  });
  await sent("post", "/v2/discounts", {
    title: PROBE,
    target: "order",
    percent: "10",
    codes: ["TEN"],
  });
  await sent("post", "/v2/collections", {
    title: PROBE,
    description: PROBE,
    rule: { category: PROBE, q: PROBE },
  });
  await sent("post", "/v2/keys", { name: PROBE });
  await dashboard.join("viewer", PROBE);
  await using opened = await openBrowser();
  const context = await opened.browser.newContext();
  // Not the owner, who is asked for the addresses: both are more pages than one person may ask for in a minute.
  const person = await dashboard.join("owner", "Esi");
  await context.addCookies(
    [...person.cookies].map(([name, value]) => ({ name, value, url: shop.url })),
  );
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (line) => complaints.push(`${page.url()}: ${line.text()}`));
  page.on("dialog", (dialog) => {
    complaints.push(`${page.url()} ran ${dialog.message()}`);
    void dialog.dismiss();
  });

  const addresses = await addressesOf(dashboard);
  for (const address of addresses) {
    const answer = await page.goto(`${shop.url}${address}`);
    if (answer?.status() !== 200) complaints.push(`${address} answered ${answer?.status()}`);
    const made = await page.evaluate(
      `document.querySelectorAll("img[src='x'], main script, [onerror]").length`,
    );
    if (made !== 0) complaints.push(`${address} has ${String(made)} elements of the probe`);
  }

  expect(addresses.length).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
});
