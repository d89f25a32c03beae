// Refunds above the limit of who asked for them, on the pages of an owner, who decides.

import { expect, test } from "bun:test";

import { openDashboard, PASSWORD } from "./dashboard-shop.ts";

/** An order of 50.00 by card, for which a key that may refund 5.00 asked to give 20.00 back. */
async function openAsked() {
  const dashboard = await openDashboard();
  const { shop } = dashboard;
  const order = await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "50.00", quantity: 1 }],
  });
  const card = { method: "card", card_token: "pm_card_visa" };
  await shop.post("/v2/payments/initialize", { order_id: order.id, ...card });
  await shop.post("/v2/test/clock/advance", { seconds: 30 });
  await shop.put("/v2/store", { refund_limit: "5.00" });
  const key = await shop.createKey({ scopes: ["payments:write"] });
  const body = { amount: "20.00", above_limit: "ask", note: "Broken handle" };
  const made = await shop.post(`/v2/orders/${order.id}/refunds`, body, { key });
  const id = made.string("/refunds/0/id");
  const page = (decision: string) => `/dashboard/test/orders/${order.id}/${decision}/${id}`;
  return { ...dashboard, order, id, page };
}

test("a refund that waits for a yes stands on Home and leads to its order", async () => {
  const { shop, owner, order } = await openAsked();
  await using _ = shop;

  const home = await owner.get("/dashboard/test");
  const { html } = await owner.get("/dashboard/test/refunds");
  const { text } = await owner.get(`/dashboard/test/orders/${order.id}`);

  expect(home.html).toContain('href="/dashboard/test/refunds');
  expect(html).toContain(`href="/dashboard/test/orders/${order.id}"`);
  expect(text).toContain("Waits for an owner's yes.");
});

test.each([
  ["approve", "yes", "Approve the refund of USD 20.00", 20],
  ["decline", "no", "Decline the refund of USD 20.00", 0],
] as const)("an owner's %s is asked for with the amount, and done", async (...row) => {
  const [decision, form, title, refunding] = row;
  const { shop, owner, order, page } = await openAsked();
  await using _ = shop;

  const asked = await owner.get(page(decision));
  const done = await owner.send(`${page(decision)}/${form}`, {});
  await shop.post("/v2/test/clock/advance", { seconds: 30 });

  expect(asked.text).toContain(title);
  expect(asked.text).toContain("Broken handle");
  expect(done.location).toStartWith(`/dashboard/test/orders/${order.id}?done=`);
  const now = await shop.get(`/v2/orders/${order.id}`);
  expect(now.at("/refunding_total")).toBe(refunding);
  expect((await owner.get(page(decision))).text).toContain("does not wait for an approval");
});

test("the bill says that a refund waits for approval, until it is approved", async () => {
  const { shop, owner, order, page } = await openAsked();
  await using _ = shop;
  const bill = async () => (await owner.get(`/dashboard/test/orders/${order.id}`)).text;

  const asked = await bill();
  await owner.send(`${page("approve")}/yes`, {});

  expect(asked).toContain("Refund waiting for approval -20.00");
  expect(asked).not.toContain("Refund on its way");
  expect(await bill()).not.toContain("Refund waiting for approval");
});

test("the receipt, which the customer takes along, tells nothing of a refund that is not decided", async () => {
  const { shop, owner, order } = await openAsked();
  await using _ = shop;

  const { text } = await owner.get(`/dashboard/test/orders/${order.id}/receipt`);

  expect(text).toContain("Paid 50.00");
  expect(text).not.toContain("Refund");
});

test("a refund is approved by who gave the password within 15 minutes, or gives it again", async () => {
  const { shop, owner, order, page } = await openAsked();
  await using _ = shop;
  const refunds = async () => (await shop.get(`/v2/refunds?order_id=${order.id}`)).at("/data");
  shop.clock.advance(16 * 60_000);

  const asked = await owner.send(`${page("approve")}/yes`, {});
  const before = await refunds();
  const confirmed = { "confirm-password": PASSWORD, "confirm-back": asked.field("confirm-back") };
  const done = await owner.send(`${page("approve")}/yes`, confirmed);

  expect(asked.text).toContain("Please enter your password again");
  expect(before).toMatchObject([{ status: "needs_approval" }]);
  expect(done.location).toStartWith(`/dashboard/test/orders/${order.id}?done=`);
  expect(await refunds()).not.toMatchObject([{ status: "needs_approval" }]);
});
