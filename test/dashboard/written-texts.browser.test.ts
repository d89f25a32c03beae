// Texts as people write them, in a real browser: several lines, and names that are written from the right.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { seenOrder } from "../support/seen-order.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";
import { look } from "./look.ts";

const HOME = "/dashboard/test";
const SHIRT = "قميص قطن 42";
const CUP = "كوب";

let dashboard: DashboardShop;
let opened: OpenBrowser;
let orderId: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  opened = await openBrowser();
  const { shop } = dashboard;
  const variants: string[] = [];
  for (const [name, sku] of [
    [SHIRT, "قميص-42"],
    [CUP, "كوب-7"],
  ]) {
    const product = await shop.post("/v2/products", { name, sku, price: "5.00", stock: 60 });
    variants.push(product.string("/variants/0/id"));
  }
  const [shirt, cup] = variants;
  const order = await shop.post("/v2/orders", {
    line_items: [
      { variant_id: shirt, quantity: 2 },
      { variant_id: cup, quantity: 3 },
    ],
    customer: { name: "דנה", phone: "+233551234987" },
    payment_method: "cash_on_delivery",
    notes: "Ring twice.\nSecond floor.",
  });
  orderId = order.id;
  await shop.put(`/v2/orders/${orderId}/fulfill`, {
    tracking: { carrier: "أرامكس", number: "123-456" },
  });
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
});

async function seen(
  path: string,
  selector: string,
  parts: readonly string[],
): Promise<readonly string[]> {
  await using looked = await look(opened, { visitor: dashboard.owner, path, isFollowing: false });
  return await seenOrder(looked.page, selector, parts);
}

test("each number of a list of items stands beside its own item", async () => {
  const parts = ["2 ×", SHIRT, "3 ×", CUP];

  const listed = await seen(`${HOME}/orders?show=all`, ".what", parts);
  const sent = await seen(`${HOME}/orders/${orderId}`, ".lined > span", parts);

  // A list that begins from the right is read from there.
  expect(listed).toEqual(parts.toReversed());
  expect(sent).toEqual(parts);
});

test("a number after a text from the right keeps its place and its digits", async () => {
  const tracking = ["أرامكس", "123-", "456"];

  expect(await seen(`${HOME}/orders/${orderId}`, ".lined > span", tracking)).toEqual(tracking);
  const counted = ["قميص-42", "58 on hand"];
  expect(await seen(`${HOME}/stock/count`, "label", counted)).toEqual(counted);
});

test("a note with an order keeps its lines, on the page and on paper", async () => {
  for (const path of ["", "/slip"]) {
    await using looked = await look(opened, {
      visitor: dashboard.owner,
      path: `${HOME}/orders/${orderId}${path}`,
      isFollowing: false,
    });
    const note = looked.page.getByText("Ring twice.");

    expect(await note.innerText()).toBe("“Ring twice.\nSecond floor.”");
  }
});

test("a name from the right begins in line with the others", async () => {
  await using looked = await look(opened, {
    visitor: dashboard.owner,
    path: `${HOME}/orders?show=all`,
    width: 1280,
  });

  const gap = await looked.page.evaluate(`(() => {
    const [who] = document.querySelectorAll(".who");
    const name = document.createRange();
    name.selectNodeContents(who);
    return name.getBoundingClientRect().left - who.getBoundingClientRect().left;
  })()`);

  expect(gap).toBe(0);
});
