// Changing an order: its customer, addresses, notes and metadata at any time, lines and shipping only while
// nothing is paid or shipped.

import { describe, expect, test } from "bun:test";

import { atOnce } from "../../support/at-once.ts";
import { ada, adaMensah, kanga, mug } from "../../support/cast.ts";
import { type Answered, sharedShop, type TestShop } from "../../support/shop.ts";
import { cancel, fulfill, of, place, reread, standing, stock } from "../orders/counter.ts";

const shop = sharedShop();

function change(shop: TestShop, order: Answered, body: object): Promise<Answered> {
  return shop.put(`/v2/orders/${order.id}`, body);
}

describe("a changed order", () => {
  test("replaces the given fields, and its event names them", async () => {
    const placed = await place(shop, [of(await mug(shop))], { notes: "Ring twice" });
    await shop.announced();

    const changed = await change(shop, placed, {
      shipping_address: { line1: "12 Ring Road", country: "GH" },
      billing_address: { name: "Duka Ltd" },
      metadata: { gift: true, nested: { cards: [1, 2.5] } },
    });

    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      shipping_address: { line1: "12 Ring Road", line2: null, country: "GH" },
      billing_address: { name: "Duka Ltd", country: null },
      notes: "Ring twice",
      metadata: { gift: true, nested: { cards: [1, 2.5] } },
      version: 2,
    });
    expect(await shop.announced()).toMatchObject([
      {
        event: "order.updated",
        data: {
          order_id: placed.id,
          changed: ["shipping_address", "billing_address", "metadata"],
        },
      },
    ]);
  });

  test("clears the fields that are given as null", async () => {
    const placed = await place(shop, [of(await mug(shop))], {
      notes: "Ring twice",
      shipping_address: { city: "Accra" },
    });

    const changed = await change(shop, placed, { notes: null, shipping_address: null });

    expect([changed.at("/notes"), changed.at("/shipping_address")]).toEqual([null, null]);
  });

  test("without a difference stays as it is and emits nothing", async () => {
    const cup = await mug(shop);
    const terms = {
      notes: "Ring twice",
      metadata: { a: 1 },
      shipping: { label: "Rider", amount: 3 },
      shipping_address: { city: "Accra" },
    };
    const placed = await place(shop, [of(cup, 2)], terms);
    const before = await standing(shop);

    const same = await change(shop, placed, { line_items: [of(cup, 2)], ...terms });

    expect([same.status, same.text]).toEqual([200, placed.text]);
    expect(await standing(shop)).toEqual(before);
  });

  test("without any field stays as it is", async () => {
    const placed = await place(shop, [of(await mug(shop))]);

    const same = await change(shop, placed, {});

    expect(same.text).toBe(placed.text);
  });

  test("takes notes after it is cancelled", async () => {
    const placed = await place(shop, [of(await mug(shop))]);
    await cancel(shop, placed);

    const changed = await change(shop, placed, { notes: "She called" });

    expect([changed.status, changed.at("/notes"), changed.at("/status")]).toEqual([
      200,
      "She called",
      "cancelled",
    ]);
  });

  test("is not overwritten under an older version", async () => {
    const placed = await place(shop, [of(await mug(shop))]);
    await change(shop, placed, { notes: "First" });
    const before = await standing(shop);

    const refused = await shop.put(
      `/v2/orders/${placed.id}`,
      { notes: "Second" },
      { headers: { "If-Match": placed.headers.get("etag") ?? "" } },
    );

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
    expect(await standing(shop)).toEqual(before);
  });

  test("is changed once by the same request many times at once, and all get its answer", async () => {
    const placed = await place(shop, [of(await mug(shop))]);
    const headers = { "Idempotency-Key": "once", "If-Match": placed.headers.get("etag") ?? "" };

    const answers = await atOnce(4, () =>
      shop.put(`/v2/orders/${placed.id}`, { notes: "Ring twice" }, { headers }),
    );

    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [200, expect.objectContaining({ notes: "Ring twice", version: 2 })]),
    );
  });

  test("is refused for fields that cannot change", async () => {
    const placed = await place(shop, [of(await mug(shop))]);

    const refused = await change(shop, placed, { status: "completed", currency: "GHS" });

    expect([refused.status, refused.faults]).toEqual([
      422,
      ["#/status unknown_field", "#/currency unknown_field"],
    ]);
  });
});

describe("changed lines", () => {
  test("reserve and release only the difference", async () => {
    const cup = await mug(shop, { stock: 3 });
    const [cloth, bowl] = [await kanga(shop), await mug(shop, { sku: "BOWL" })];
    const placed = await place(shop, [of(cup, 3), of(cloth, 2)]);
    await shop.announced();

    const changed = await change(shop, placed, { line_items: [of(cup, 3), of(bowl, 4)] });

    expect(changed.body).toMatchObject({
      line_items: [
        { id: placed.at("/line_items/0/id"), quantity: 3 },
        { sku: "BOWL", quantity: 4, unit_price: 12.5 },
      ],
      subtotal_minor: 8750,
      total_minor: 8750,
      due_minor: 8750,
    });
    expect(await stock(shop, cup)).toEqual([3, 3, 0]);
    expect(await stock(shop, cloth)).toEqual([5, 0, 5]);
    expect(await stock(shop, bowl)).toEqual([10, 4, 6]);
    const moved = await shop.get(`/v2/inventory/${cup.variantId}/movements`);
    expect(moved.list("/data")).toHaveLength(2);
    expect(await shop.announced()).toMatchObject([
      { event: "order.updated", data: { changed: ["line_items"], total: 87.5 } },
    ]);
  });

  test("keep their agreed price, and new ones get the current one", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const placed = await place(shop, [of(cup, 1)]);
    await reprice(shop, cup.productId, cup.variantId, 99);
    await reprice(shop, cloth.productId, cloth.variantId, 30);

    const changed = await change(shop, placed, { line_items: [of(cup, 2), of(cloth, 1)] });

    expect(changed.body).toMatchObject({
      line_items: [{ unit_price: 12.5 }, { unit_price: 30 }],
      total_minor: 5500,
    });
  });

  test("may keep a variant that is no longer sold", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const placed = await place(shop, [of(cup, 2)]);
    await shop.put(`/v2/products/${cup.productId}`, { status: "archived" });

    const changed = await change(shop, placed, { line_items: [of(cup, 1), of(cloth, 1)] });

    expect([changed.status, changed.at("/total_minor")]).toEqual([200, 3250]);
  });

  test("and shipping make a new total", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup)], { shipping: { label: "Rider", amount: 3 } });
    await shop.announced();

    const dearer = await change(shop, placed, { shipping: { label: "Truck", amount: 30 } });
    const free = await change(shop, placed, { shipping: null });

    expect(dearer.at("/shipping")).toMatchObject({ label: "Truck", amount_minor: 3000 });
    expect(dearer.at("/total_minor")).toBe(4250);
    expect([free.at("/shipping"), free.at("/total_minor")]).toEqual([null, 1250]);
    expect(await shop.announced()).toMatchObject([
      { event: "order.updated", data: { changed: ["shipping"], total: 42.5 } },
      { event: "order.updated", data: { changed: ["shipping"], total: 12.5 } },
    ]);
  });

  test("with a total of zero make a paid order, announced once", async () => {
    const [cup, gift] = [await mug(shop), await mug(shop, { price: 0 })];
    const placed = await place(shop, [of(cup)]);
    await shop.announced();

    const changed = await change(shop, placed, { line_items: [of(gift)] });

    expect(changed.body).toMatchObject({
      payment_status: "paid",
      paid_at: "2026-01-05T08:00:00.000Z",
      expires_at: null,
    });
    expect(await shop.announcedNames()).toEqual(["order.updated", "order.paid"]);
  });

  test("beyond the stock are refused, and no stock moves", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const placed = await place(shop, [of(cup, 8), of(cloth, 2)]);
    const before = await standing(shop);

    const refused = await change(shop, placed, { line_items: [of(cup, 11)], notes: "More" });

    expect([refused.status, refused.code]).toEqual([409, "insufficient_stock"]);
    expect(refused.at("/items")).toEqual([
      { variant_id: cup.variantId, requested: 3, available: 2 },
    ]);
    expect(await standing(shop)).toEqual(before);
  });

  test("are refused with all of their faults", async () => {
    const cup = await mug(shop);
    const draft = await mug(shop, { status: "draft" });
    const placed = await place(shop, [of(cup)]);
    const before = await standing(shop);

    const refused = await change(shop, placed, {
      line_items: [of(draft), { variant_id: "var_01h455vb4pex5vsknk084sn02q", quantity: 1 }],
      shipping: { amount: "1.234" },
    });

    expect([refused.status, refused.code, refused.faults]).toEqual([
      422,
      "validation_failed",
      [
        "#/shipping/amount amount_precision",
        "#/line_items/0/variant_id variant_not_for_sale",
        "#/line_items/1/variant_id unknown_variant",
      ],
    ]);
    expect(await standing(shop)).toEqual(before);
  });

  test("of a paid order are refused", async () => {
    const [gift, cup] = [await mug(shop, { price: 0 }), await mug(shop)];
    const placed = await place(shop, [of(gift)]);

    const refused = await change(shop, placed, { line_items: [of(cup)] });

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
    expect(refused.body).toMatchObject({
      from: "open",
      action: "change_lines",
      allowed: ["fulfill", "cancel"],
      detail:
        "Line items and shipping can change only while the payment status is unpaid. It is paid.",
    });
  });

  test("are refused once they left nothing to pay, since the order is paid", async () => {
    const [gift, cup] = [await mug(shop, { price: 0 }), await mug(shop)];
    const placed = await place(shop, [of(cup)]);
    await change(shop, placed, { line_items: [of(gift)] });

    const refused = await change(shop, placed, { line_items: [of(cup)] });

    expect([refused.status, refused.at("/detail")]).toEqual([
      409,
      "Line items and shipping can change only while the payment status is unpaid. It is paid.",
    ]);
  });

  test("are refused once a unit of the unpaid order was cancelled", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup, 2)]);
    const line_items = [{ line_item_id: placed.at("/line_items/0/id"), quantity: 1 }];
    const headers = { "Idempotency-Key": "one" };
    await shop.put(`/v2/orders/${placed.id}/cancel`, { line_items }, { headers });

    const refused = await change(shop, placed, { line_items: [of(cup, 3)] });

    expect([refused.status, refused.at("/detail")]).toEqual([
      409,
      "Units were cancelled: line items and shipping cannot change any more.",
    ]);
  });

  test("of a partly shipped order are refused", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup, 2)]);
    const line_item_id = placed.at("/line_items/0/id");
    await fulfill(shop, placed, { line_items: [{ line_item_id, quantity: 1 }] });
    const before = await standing(shop);

    const refused = await change(shop, placed, { line_items: [of(cup, 3)] });

    expect(refused.body).toMatchObject({
      action: "change_lines",
      allowed: ["fulfill", "cancel", "return", "cancel_fulfillment"],
      detail: "The order is open and partially_fulfilled.",
    });
    expect(await standing(shop)).toEqual(before);
  });

  test("are refused once a unit was cancelled, though it cost nothing", async () => {
    const [cup, gift] = [await mug(shop), await mug(shop, { price: 0, stock: 9 })];
    const placed = await place(shop, [of(gift, 3), of(cup)]);
    const line_items = [{ line_item_id: placed.at("/line_items/0/id"), quantity: 2 }];
    const headers = { "Idempotency-Key": "gift" };
    await shop.put(`/v2/orders/${placed.id}/cancel`, { line_items }, { headers });

    const refused = await change(shop, placed, { line_items: [of(cup)] });

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
    expect(refused.body).toMatchObject({
      action: "change_lines",
      allowed: ["fulfill", "cancel"],
      detail: "Units were cancelled: line items and shipping cannot change any more.",
    });
    expect(await stock(shop, gift)).toEqual([9, 1, 8]);
  });

  test("of a cancelled order are refused", async () => {
    const cup = await mug(shop);
    const placed = await place(shop, [of(cup, 2)]);
    await cancel(shop, placed);

    const refused = await change(shop, placed, { line_items: [of(cup, 1)] });

    expect([refused.status, refused.code]).toEqual([409, "invalid_transition"]);
    expect((await reread(shop, placed)).at("/version")).toBe(2);
  });
});

async function reprice(
  shop: TestShop,
  productId: string,
  ...[variantId, amount]: readonly [string, number]
): Promise<void> {
  await shop.put(`/v2/products/${productId}/variants/${variantId}`, {
    prices: [{ currency: "USD", amount }],
  });
}

describe("the customer of an order", () => {
  test("is changed in the order and not in their record", async () => {
    const customer = await adaMensah(shop);
    const placed = await place(shop, [of(await mug(shop))], { customer_id: customer.id });
    await shop.announced();

    const changed = await shop.put(`/v2/orders/${placed.id}`, {
      customer: { email: "Ada@Work.example", phone: null },
    });

    expect(changed.at("/customer")).toEqual({
      id: customer.id,
      email: "ada@work.example",
      phone: null,
      name: customer.name,
    });
    expect((await shop.get(`/v2/customers/${customer.id}`)).body).toMatchObject({
      email: customer.email,
      phone: customer.phone,
    });
    expect(await shop.announced()).toMatchObject([
      {
        event: "order.updated",
        data: { changed: ["customer"], customer: { id: customer.id, email: "ada@work.example" } },
      },
    ]);
  });

  test("keeps an email or a phone", async () => {
    const placed = await place(shop, [of(await mug(shop))], {
      customer: { email: "kofi@example.com" },
    });

    const refused = await shop.put(`/v2/orders/${placed.id}`, { customer: { email: null } });

    expect([refused.status, refused.faults]).toEqual([422, ["#/customer/email required"]]);
  });

  test("cannot be named in an order that has none", async () => {
    const placed = await place(shop, [of(await mug(shop))]);

    const refused = await shop.put(`/v2/orders/${placed.id}`, { customer: { name: "Ada" } });

    expect(refused.faults).toEqual(["#/customer unknown_customer"]);
    expect((await reread(shop, placed)).body).toEqual(placed.body);
  });

  test("is not named again once they were erased", async () => {
    const customer = await ada(shop);
    const placed = await place(shop, [of(await mug(shop))], { customer_id: customer });
    await cancel(shop, placed);
    await shop.post(`/v2/customers/${customer}/erase`);

    const refused = await shop.put(`/v2/orders/${placed.id}`, { customer: { name: "Ada" } });

    expect([refused.status, refused.code]).toEqual([409, "customer_erased"]);
  });
});
