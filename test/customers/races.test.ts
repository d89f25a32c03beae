// Concurrent requests about the same customer: one record per contact, no lost update, and no personal
// data after an erasure.

import { describe, expect, test } from "bun:test";

import { auditOrders } from "#sales/history/audit-orders.ts";

import { of } from "../sales/orders/counter.ts";
import { atOnce, statuses } from "../support/at-once.ts";
import { ada, kofi as contactOfKofi, mug } from "../support/cast.ts";
import { openTestShop, sharedShop } from "../support/shop.ts";

const shop = sharedShop();

const street = { name: "Pili", line1: "12 Ring Road", country: "GH" };
const kofi = { email: "Kofi@example.com", phone: "+233209876543", name: "Kofi" };

describe("a new customer", () => {
  test("created several times at once is one customer", async () => {
    await using shop = await openTestShop();

    const answers = await atOnce(6, () => shop.post("/v2/customers", kofi));

    const made = answers.find((answer) => answer.status === 201);
    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({
      code: "customer_exists",
      existing_id: made?.id,
      field: "email",
    });
    expect((await shop.get("/v2/customers")).list("/data")).toHaveLength(1);
    expect(await shop.announcedNames()).toEqual(["customer.created"]);
  });

  test("that orders several times at once is one customer with all the orders", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);

    const answers = await atOnce(6, () =>
      shop.post("/v2/orders", { line_items: [of(cup)], customer: kofi }),
    );

    expect(statuses(answers)).toEqual([201, 201, 201, 201, 201, 201]);
    const customers = await shop.get("/v2/customers");
    expect(customers.list("/data")).toHaveLength(1);
    expect(customers.at("/data/0")).toMatchObject({ email: "kofi@example.com", orders_count: 6 });
  });

  test("with the email of one and the phone of another is refused", async () => {
    const { email, phone } = contactOfKofi(shop);

    const answers = await Promise.all(
      [{ email }, { phone }, { email, phone }].map((body) => shop.post("/v2/customers", body)),
    );

    expect([
      [201, 201, 409],
      [201, 409, 409],
    ]).toContainEqual(statuses(answers));
    expect(answers.filter((answer) => answer.status === 409).map(({ code }) => code)).toContain(
      "customer_exists",
    );
  });
});

describe("a customer", () => {
  test("keeps changes of different fields at once", async () => {
    await using shop = await openTestShop();
    const id = await ada(shop);
    await shop.announced();

    const answers = await Promise.all(
      [
        { name: "Ada Osei" },
        { marketing_consent: true },
        { tags: ["vip"] },
        { metadata: { seat: "window" } },
        { email: "ada.osei@example.com" },
      ].map((body) => shop.put(`/v2/customers/${id}`, body)),
    );

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200]);
    expect((await shop.get(`/v2/customers/${id}`)).body).toMatchObject({
      name: "Ada Osei",
      marketing_consent: true,
      tags: ["vip"],
      metadata: { seat: "window" },
      email: "ada.osei@example.com",
      version: 6,
    });
    expect((await shop.get("/v2/customers?tag=vip")).list("/data")).toHaveLength(1);
    expect((await shop.get("/v2/customers?q=osei")).list("/data")).toHaveLength(1);
    expect(await shop.announcedNames()).toEqual(answers.map(() => "customer.updated"));
  });

  test("is changed once by requests with the same version", async () => {
    const id = await ada(shop);

    const answers = await atOnce(4, (index) =>
      shop.put(`/v2/customers/${id}`, { name: `Ada ${index}` }, { headers: { "If-Match": '"1"' } }),
    );

    expect(statuses(answers)).toEqual([200, 412, 412, 412]);
  });

  test("is found by the tags of the last change", async () => {
    await using shop = await openTestShop();
    const id = await ada(shop);

    await atOnce(6, (index) => shop.put(`/v2/customers/${id}`, { tags: [`tag${index}`, "all"] }));

    const [tag] = (await shop.get(`/v2/customers/${id}`)).list("/tags");
    const found = await atOnce(6, async (index) =>
      (await shop.get(`/v2/customers?tag=tag${index}`)).list("/data").map(() => `tag${index}`),
    );
    expect(found.flat()).toEqual([String(tag)]);
    expect((await shop.get("/v2/customers?tag=all")).list("/data")).toHaveLength(1);
  });

  test("shares no email that two customers change to at once", async () => {
    const ids = [await ada(shop), (await shop.post("/v2/customers", contactOfKofi(shop))).id];

    const answers = await Promise.all(
      ids.map((id) => shop.put(`/v2/customers/${id}`, { email: "till@example.com" })),
    );

    const holder = answers.find((answer) => answer.status === 200);
    expect(statuses(answers)).toEqual([200, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body).toMatchObject({
      code: "customer_exists",
      existing_id: holder?.id,
      field: "email",
    });
  });

  test("counts all orders placed at once", async () => {
    const cup = await mug(shop, { stock: 20 });
    const id = await ada(shop);

    const [orders] = await Promise.all([
      atOnce(8, () => shop.post("/v2/orders", { line_items: [of(cup)], customer_id: id })),
      atOnce(4, (index) => shop.put(`/v2/customers/${id}`, { name: `Ada ${index}` })),
    ]);

    expect(statuses(orders)).toEqual(orders.map(() => 201));
    expect((await shop.get(`/v2/customers/${id}`)).body).toMatchObject({
      orders_count: 8,
      version: 5,
    });
  });
});

describe("a customer who is removed while ordering", () => {
  test("is deleted, or has the order and stays", async () => {
    const cup = await mug(shop, { stock: 20 });
    const customers = await atOnce(8, (index) =>
      shop.post("/v2/customers", { email: `person${index}@example.com` }),
    );

    const [deleted, orders] = await Promise.all([
      Promise.all(customers.map(({ id }) => shop.delete(`/v2/customers/${id}`))),
      Promise.all(
        customers.map(({ id }) =>
          shop.post("/v2/orders", { line_items: [of(cup)], customer_id: id }),
        ),
      ),
    ]);

    expect(orders.map((answer) => answer.status)).toEqual(
      deleted.map((answer) => (answer.status === 409 ? 201 : 422)),
    );
    expect(await Array.fromAsync(auditOrders(shop.test.database.read))).toEqual([]);
  });

  test("is in no order, cart, event or response once erased", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop, { stock: 40 });
    const customers = await atOnce(6, (index) =>
      shop.post("/v2/customers", { email: `person${index}@example.com`, name: `Zuberi${index}` }),
    );

    const answers = await Promise.all(
      customers.flatMap(({ id }, index) => [
        shop.post("/v2/carts", { line_items: [], customer_id: id, shipping_address: street }),
        shop.put(`/v2/customers/${id}`, { first_name: `Zuberi${index}` }),
        shop.post(`/v2/customers/${id}/erase`),
        shop.post("/v2/orders", { line_items: [of(cup)], customer_id: id }),
      ]),
    );

    expect(answers.filter((answer) => answer.status >= 500)).toEqual([]);
    const kept = await Promise.all([
      shop.get("/v2/orders?limit=100"),
      shop.get("/v2/customers?limit=100"),
      shop.get("/v2/carts?limit=100"),
    ]);
    const shown = JSON.stringify([kept.map(({ body }) => body), await shop.events()]);
    const erased = customers.map((_, index) => answers[index * 4 + 2]?.status === 200);
    expect(customers.map((_, index) => !shown.includes(`person${index}@`))).toEqual(erased);
    expect(customers.map((_, index) => !shown.includes(`Zuberi${index}`))).toEqual(erased);
  });
});
