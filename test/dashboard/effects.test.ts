// What cannot be taken back is told before it is done, with its amounts, without a script.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { settle } from "../payments/scripted-shop.ts";
import { pay } from "../sandbox/paying.ts";
import type { Answered } from "../support/shop.ts";
import { type DashboardShop, openDashboard, type SeenPage } from "./dashboard-shop.ts";

let dashboard: DashboardShop;
let mug: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  await shop.put("/v2/store", { payment_methods: { bank_transfer: { enabled: true } } });
  const product = await shop.post("/v2/products", { name: "Mug", price: "12.50", stock: 100 });
  mug = product.string("/variants/0/id");
});

afterAll(() => dashboard[Symbol.asyncDispose]());

/** An order of four mugs for 50.00, which are paid by hand unless told otherwise. */
function place(given: object = { paid: { method: "bank_transfer" } }): Promise<Answered> {
  const line_items = [{ variant_id: mug, quantity: 4 }];
  return dashboard.shop.post("/v2/orders", { line_items, ...given });
}

const orderNow = (id: string) => dashboard.shop.get(`/v2/orders/${id}`);
const at = ({ id }: Answered, path: string) => `/dashboard/test/orders/${id}${path}`;

/** What a browser sends of the page's form if nothing is typed, and what was typed. */
function fieldsOf({ html }: SeenPage, typed: Readonly<Record<string, string>> = {}) {
  const inputs = html.match(/<input[^>]*type="hidden"[^>]*>/g) ?? [];
  const hidden = inputs.map((tag): [string, string] => [
    /name="([^"]*)"/.exec(tag)?.[1] ?? "",
    /value="([^"]*)"/.exec(tag)?.[1] ?? "",
  ]);
  return [...hidden, ...Object.entries(typed)];
}

const units = (quantity: number) => ({ "/line_items/0/quantity": String(quantity) });

describe("an act that cannot be taken back", () => {
  test("cancels what its page said, and nothing before that", async () => {
    const order = await place();
    const page = await dashboard.owner.get(at(order, "/cancel"));
    const typed = { ...units(3), "/refund": "true", "/refund_part": "30.00" };

    const said = await dashboard.owner.send(at(order, "/cancel/check"), fieldsOf(page, typed));
    const before = await orderNow(order.id);
    const done = await dashboard.owner.send(at(order, "/cancel/cancel"), fieldsOf(said));
    await settle(dashboard.shop);

    expect(said.text).toContain("Mug 3 cancelled");
    expect(said.text).toContain("You give back yourself, bank transfer USD 30.00");
    expect(said.text).toContain("Kept by the shop USD 7.50");
    expect(said.text).toContain("Cancel and refund USD 30.00");
    expect(before.text).toBe(order.text);
    expect(done.location).toBe(at(order, "?done=cancelled"));
    const after = await orderNow(order.id);
    expect([after.at("/refunding_total"), after.at("/kept_total")]).toEqual([30, 7.5]);
  });

  test("says that the whole order is cancelled, and that no money goes back", async () => {
    const order = await place({});
    const page = await dashboard.owner.get(at(order, "/cancel"));

    const said = await dashboard.owner.send(at(order, "/cancel/check"), fieldsOf(page, units(4)));

    for (const part of ["Mug 4 cancelled", "The order is cancelled.", "Nothing is refunded."]) {
      expect(said.text).toContain(part);
    }
  });

  test("takes back what its page said, into stock", async () => {
    const order = await place();
    await dashboard.shop.put(`/v2/orders/${order.id}/fulfill`);
    const page = await dashboard.owner.get(at(order, "/return"));
    const typed = { ...units(1), "/restock": "true", "/refund": "true" };

    const said = await dashboard.owner.send(at(order, "/return/check"), fieldsOf(page, typed));
    const done = await dashboard.owner.send(at(order, "/return/units"), fieldsOf(said));

    expect(said.text).toContain("Mug 1 returned");
    expect(said.text).toContain("Returned items go back into stock.");
    expect(said.text).toContain("Return items and refund USD 12.50");
    expect(said.text).toContain(
      "What you give back yourself waits on the order until you press “I gave it back”.",
    );
    expect(done.location).toBe(at(order, "?done=returned"));
    const returned = await dashboard.shop.get(`/v2/orders/${order.id}/returns`);
    expect([returned.at("/data/0/refund"), returned.at("/data/0/line_items/0/restocked")]).toEqual([
      12.5, 1,
    ]);
  });

  test("refunds what its page said, the way it came", async () => {
    const order = await place({ payment_method: "card" });
    await pay(dashboard.shop, order.id, { card: "pm_card_visa" });
    const page = await dashboard.owner.get(at(order, "/refund"));
    const typed = { "/amount": "20.00", "/reason": "other" };

    const said = await dashboard.owner.send(at(order, "/refund/check"), fieldsOf(page, typed));
    await dashboard.owner.send(at(order, "/refund/amount"), fieldsOf(said));

    expect(said.text).toContain("Refunded by card USD 20.00");
    expect(said.text).toContain("Refund USD 20.00");
    expect((await orderNow(order.id)).at("/refunding_total")).toBe(20);
  });

  test("says that a refund by hand counts as given back at once", async () => {
    const order = await place();
    const page = await dashboard.owner.get(at(order, "/refund"));

    const said = await dashboard.owner.send(
      at(order, "/refund/check"),
      fieldsOf(page, { "/amount": "5.00" }),
    );

    expect(said.text).toContain("You give back yourself, bank transfer USD 5.00");
    expect(said.text).toContain("What you give back yourself counts as refunded at once");
    expect(said.text).not.toContain("I gave it back");
  });

  test("is done once by a double tap, and told again without being done", async () => {
    const order = await place();
    const page = await dashboard.owner.get(at(order, "/refund"));
    const check = () =>
      dashboard.owner.send(at(order, "/refund/check"), fieldsOf(page, { "/amount": "5.00" }));
    const said = await check();
    await check();

    await Promise.all(
      [1, 2].map(() => dashboard.owner.send(at(order, "/refund/amount"), fieldsOf(said))),
    );

    expect((await orderNow(order.id)).at("/refunded_total")).toBe(5);
  });

  test("that is refused is refused before, at its field, with what was typed", async () => {
    const order = await place();
    const page = await dashboard.owner.get(at(order, "/cancel"));
    const typed = { ...units(1), "/refund": "true", "/refund_part": "13.00" };

    const refused = await dashboard.owner.send(at(order, "/cancel/check"), fieldsOf(page, typed));

    expect([refused.status, refused.field("/refund_part")]).toEqual([422, "13.00"]);
    expect(refused.html).toContain('href="#f-refund_part"');
    expect(refused.text).toContain("Only 12.50 USD can go back.");
  });

  test("on an order that was changed meanwhile says so before", async () => {
    const order = await place();
    const page = await dashboard.owner.get(at(order, "/cancel"));
    await dashboard.shop.put(`/v2/orders/${order.id}`, { notes: "Ring twice" });

    const late = await dashboard.owner.send(at(order, "/cancel/check"), fieldsOf(page, units(1)));

    expect(late.status).toBe(412);
  });

  test("leads back to what was typed", async () => {
    const order = await place();
    const page = await dashboard.owner.get(at(order, "/cancel"));
    const said = await dashboard.owner.send(
      at(order, "/cancel/check"),
      fieldsOf(page, { ...units(2), "/refund": "false" }),
    );

    const again = await dashboard.owner.send(at(order, "/cancel/change"), fieldsOf(said));

    expect([again.status, again.field("/line_items/0/quantity")]).toEqual([200, "2"]);
    expect(again.html).toContain('<option value="false" selected>');
  });

  test("above the limit of staff needs an owner's yes, and says so before", async () => {
    const order = await place();
    const staff = await dashboard.join("staff", "Kofi");
    await dashboard.shop.put("/v2/store", { refund_limit: "5.00" });
    const page = await staff.get(at(order, "/refund"));

    const said = await staff.send(
      at(order, "/refund/check"),
      fieldsOf(page, { "/amount": "6.00", "/reason": "other" }),
    );
    const asked = await staff.send(at(order, "/refund/amount"), fieldsOf(said));
    await dashboard.shop.put("/v2/store", { refund_limit: null });

    expect([said.status, asked.status]).toEqual([200, 303]);
    expect(said.text).toContain("This needs an owner's yes");
    const listed = await dashboard.shop.get(`/v2/refunds?order_id=${order.id}`);
    expect(listed.at("/data/0/status")).toBe("needs_approval");
  });
});

describe("money that does not fit", () => {
  test("goes back once its page said how much", async () => {
    const order = await place({ payment_method: "card" });
    const payment = await pay(dashboard.shop, order.id, { card: "pm_test_amountShort" });
    const path = at(order, `/give-back/${payment.id}`);
    const page = await dashboard.owner.get(path);

    const done = await dashboard.owner.send(`${path}/all`, fieldsOf(page));

    const received = `USD ${payment.number("/received/amount").toFixed(2)}`;
    expect(page.text).toContain(`${received} was paid by card and is refunded the same way.`);
    expect(done.location).toBe(at(order, "?done=refunded"));
    const after = await dashboard.shop.get(`/v2/payments/${payment.id}`);
    expect(after.at("/status")).toBe("refunded");
    expect((await dashboard.owner.get(path)).text).toContain(
      "There is nothing to refund for this payment",
    );
  });
});
