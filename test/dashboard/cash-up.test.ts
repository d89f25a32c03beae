// The cash-up of a day: what is in the drawer, by method and by person.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type DashboardShop, openDashboard, type Visitor } from "./dashboard-shop.ts";

const PATH = "/dashboard/test/cash-up";
const DAY_MS = 24 * 3_600_000;

let dashboard: DashboardShop;
let staff: Visitor;
let mug = { id: "", product: "" };

beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  staff = await dashboard.join("staff", "Kofi");
  await shop.put("/v2/store", { payment_methods: { cash: { enabled: true } } });
  const made = await shop.post("/v2/products", { name: "Mug", price: "10.00", stock: 50 });
  mug = { id: made.string("/variants/0/id"), product: made.id };
  await sell(staff, 2);
  await sell(dashboard.owner, 1);
  await shop.post("/v2/orders", {
    line_items: [{ variant_id: mug.id, quantity: 4 }],
    channel: "pos",
    paid: { method: "bank_transfer" },
  });
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** Sells mugs for cash at the counter; returns the id of the order. */
async function sell(visitor: Visitor, quantity: number, of = mug): Promise<string> {
  const sold = await visitor.send("/dashboard/test/orders/new/sell", {
    form: crypto.randomUUID(),
    "/line_items/0/variant_id": of.id,
    "/line_items/0/quantity": quantity,
    [`product_of_${of.id}`]: of.product,
    "/paid/tendered": "",
  });
  expect(sold.status).toBe(303);
  return /ord_\w+/.exec(sold.location)?.[0] ?? "";
}

test("the drawer has the cash of everybody, and each method its sum", async () => {
  const { text } = await dashboard.owner.get(PATH);

  expect(text).toContain("Cash to count USD 30.00");
  expect(text).toContain(
    "The whole shop Bank transfer, 1 payment 40.00 Cash, 2 payments 30.00 Total USD 70.00",
  );
});

test("each person is told with what they took by hand", async () => {
  const { text } = await dashboard.owner.get(PATH);

  expect(text).toContain("Kofi Cash, 1 payment 20.00 Total USD 20.00");
  expect(text).toContain("Ama Cash, 1 payment 10.00 Total USD 10.00");
  expect(text).toMatch(/Key \S.* Bank transfer, 1 payment 40\.00/);
});

test("cash that is given back is taken from the drawer and from who gave it", async () => {
  await using other = await openDashboard();
  const sold = await other.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 3 }],
    channel: "pos",
    paid: { method: "cash" },
  });
  const refunded = await other.owner.send(`/dashboard/test/orders/${sold.id}/refund/amount`, {
    form: crypto.randomUUID(),
    "/amount": "4.00",
  });

  const { text } = await other.owner.get(PATH);

  expect(refunded.status).toBe(303);
  expect(text).toContain("Cash to count USD 26.00");
  expect(text).toContain("Ama Cash, 1 refund -4.00 Total USD -4.00");
});

test("a person who was removed is told apart from the next one of that name, here and by the order", async () => {
  await using other = await openDashboard();
  const { shop, owner } = other;
  await shop.put("/v2/store", { payment_methods: { cash: { enabled: true } } });
  const made = await shop.post("/v2/products", { name: "Mug", price: "10.00", stock: 50 });
  const of = { id: made.string("/variants/0/id"), product: made.id };
  const id = await sell(await other.join("staff", "Kofi"), 2, of);
  await other.remove("Kofi");
  await sell(await other.join("staff", "Kofi"), 1, of);

  const { text } = await owner.get(PATH);
  const order = await owner.get(`/dashboard/test/orders/${id}`);
  const cashUp = await shop.get("/v2/cash-up");

  expect(text).toContain("Kofi (removed) Cash, 1 payment 20.00 Total USD 20.00");
  expect(text).toContain("Kofi Cash, 1 payment 10.00 Total USD 10.00");
  expect(order.text).toContain("by Kofi (removed)");
  expect(cashUp.at("/currencies/0/by_hand/0/actor/name")).toBe("Kofi");
});

test("another day is looked at by its date, and leads on to the next", async () => {
  const { shop, owner } = dashboard;
  shop.clock.advance(DAY_MS);

  const today = await owner.get(PATH);
  const before = await owner.get(`${PATH}?day=2026-01-05`);

  expect(today.text).toContain("No money moved");
  expect(today.html).toContain(`href="${PATH}?day=2026-01-05"`);
  expect(before.text).toContain("Monday 5 January");
  expect(before.text).toContain("Cash to count USD 30.00");
  expect(before.html).toContain(`href="${PATH}?day=2026-01-06"`);
});

test("a day that the calendar does not have has no page", async () => {
  expect((await dashboard.owner.get(`${PATH}?day=2026-02-31`)).status).toBe(404);
});

test("a viewer sees it, too", async () => {
  const viewer = await dashboard.join("viewer", "Efua");

  expect((await viewer.get(`${PATH}?day=2026-01-05`)).text).toContain("Cash to count USD 30.00");
});
