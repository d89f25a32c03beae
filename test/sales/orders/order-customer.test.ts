// The customer of an order: found, created, kept as the order names them, and shown to a storefront only as far
// as it sent them.

import { describe, expect, test } from "bun:test";

import { ada, mug } from "../../support/cast.ts";
import { openTestShop } from "../../support/shop.ts";
import { of, place, reread } from "./counter.ts";

describe("the customer of an order", () => {
  test("is matched by email, whatever its case", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const customer = await ada(shop);
    await shop.announced();

    const placed = await place(shop, [of(cup)], { customer: { email: "ADA@example.com" } });

    expect(placed.at("/customer")).toEqual({
      id: customer,
      email: "ada@example.com",
      phone: "+233201234567",
      name: "Ada Mensah",
    });
    expect(await shop.announcedNames()).toEqual(["order.placed"]);
  });

  test("is in the order as the order names them, beside what the record knows", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const known = await ada(shop);
    const customer = { email: "ada@example.com", phone: "+233500000000" };

    const placed = await place(shop, [of(cup)], { customer });

    expect(placed.at("/customer")).toEqual({ id: known, ...customer, name: "Ada Mensah" });
    expect((await shop.get(`/v2/customers/${known}`)).at("/phone")).toBe("+233201234567");
  });

  test("gets the phone and name that their record lacked", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const known = await shop.post("/v2/customers", { email: "kofi@example.com" });
    await shop.announced();

    await place(shop, [of(cup)], {
      customer: { email: "kofi@example.com", phone: "+233500000000", name: "Kofi Boateng" },
    });

    const after = await shop.get(`/v2/customers/${known.id}`);
    expect(after.body).toMatchObject({ phone: "+233500000000", name: "Kofi Boateng" });
    expect(await shop.announcedNames()).toEqual(["customer.updated", "order.placed"]);
  });

  test("does not get a phone that another customer has, and the order keeps it", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await ada(shop);
    const known = await shop.post("/v2/customers", { email: "kofi@example.com" });

    const placed = await place(shop, [of(cup)], {
      customer: { email: "kofi@example.com", phone: "+233201234567" },
    });

    expect(placed.at("/customer")).toMatchObject({ id: known.id, phone: "+233201234567" });
    expect((await shop.get(`/v2/customers/${known.id}`)).at("/phone")).toBeNull();
  });

  test("is matched by phone if no customer has the email", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const customer = await ada(shop);

    const placed = await place(shop, [of(cup)], {
      customer: { email: "ada@work.example", phone: "+233201234567" },
    });

    expect(placed.at("/customer_id")).toBe(customer);
  });

  test("is created and announced if no customer matches", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await shop.announced();

    const placed = await place(shop, [of(cup)], {
      customer: { email: "kofi@example.com", name: "Kofi" },
    });

    const customer = await shop.get(`/v2/customers/${placed.string("/customer_id")}`);
    expect(customer.body).toMatchObject({ email: "kofi@example.com", name: "Kofi" });
    expect(await shop.announcedNames()).toEqual(["customer.created", "order.placed"]);
  });

  test("without an email is announced with null", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);

    const placed = await place(shop, [of(cup)], { customer: { phone: "+256701234567" } });

    expect((await shop.announced()).at(-1)).toMatchObject({
      event: "order.placed",
      data: { customer: { id: placed.at("/customer_id"), email: null } },
    });
  });

  test("is counted one more order", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const customer = await ada(shop);

    await place(shop, [of(cup)], { customer_id: customer });

    expect((await shop.get(`/v2/customers/${customer}`)).at("/orders_count")).toBe(1);
  });

  test("stays on the order as they were when it was placed", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const customer = await ada(shop);
    const placed = await place(shop, [of(cup)], { customer_id: customer });
    await shop.put(`/v2/customers/${customer}`, { name: "Ada Lovelace" });

    const found = await reread(shop, placed);

    expect(found.at("/customer/name")).toBe("Ada Mensah");
  });
});

describe("a storefront", () => {
  test("gets nothing of a known customer that it did not send", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const customer = await ada(shop);
    const key = await shop.createKey({ scopes: ["storefront"] });

    const placed = await shop.post(
      "/v2/orders",
      {
        line_items: [of(cup)],
        customer: { email: "Ada@example.com", phone: "+233500000000", name: "Someone" },
      },
      { key },
    );

    expect(placed.status).toBe(201);
    expect(placed.at("/customer")).toEqual({
      id: "cus_00000000000000000000000000",
      email: "ada@example.com",
      phone: "+233500000000",
      name: "Someone",
    });
    expect(await reread(shop, placed)).toMatchObject({ body: { customer_id: customer } });
    expect(placed.text).not.toMatch(/Mensah|233201234567/);
  });

  test("changes no record of a customer whose email it knows", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const known = await shop.post("/v2/customers", { email: "kofi@example.com" });
    const key = await shop.createKey({ scopes: ["storefront"] });
    const customer = { email: "kofi@example.com", phone: "+233500000000", name: "Someone" };

    const placed = await shop.post("/v2/orders", { line_items: [of(cup)], customer }, { key });

    const after = await shop.get(`/v2/customers/${known.id}`);
    expect((await reread(shop, placed)).at("/customer")).toEqual({ id: known.id, ...customer });
    expect([after.at("/phone"), after.at("/name"), after.at("/version")]).toEqual([null, null, 1]);
  });

  test("makes an unverified customer, whom the merchant's word names", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const contact = { email: "kofi@example.com", phone: "+233500000000", name: "Someone" };
    const body = { line_items: [of(cup)], customer: contact };
    const placed = await reread(shop, await shop.post("/v2/orders", body, { key }));
    const path = `/v2/customers/${placed.string("/customer_id")}`;
    const before = await shop.get(path);

    const said = { email: "kofi@example.com", phone: "+233501112222", name: "Kofi Boateng" };
    await place(shop, [of(cup)], { customer: said });

    const { phone, name } = said;
    expect(before.body).toMatchObject({ ...contact, unverified: true });
    expect((await shop.get(path)).body).toMatchObject({ phone, name, unverified: false });
  });

  test("places an order of the customer whom the merchant has put into the cart, and is not told", async () => {
    await using shop = await openTestShop();
    const customer = await ada(shop);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const lines = { line_items: [of(await mug(shop))], email: "x@example.com" };
    const cart = await shop.post("/v2/carts", { ...lines, customer_id: customer });

    const placed = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });

    expect((await reread(shop, placed)).at("/customer/email")).toBe("ada@example.com");
    expect(placed.at("/customer_id")).toBeNull();
    expect(placed.at("/customer")).toMatchObject({ email: null, phone: null, name: null });
  });

  test.each(["", "/{id}", "/{id}/events"])("cannot read /v2/orders%s", async (path) => {
    await using shop = await openTestShop();
    const placed = await place(shop, [of(await mug(shop))]);
    const key = await shop.createKey({ scopes: ["storefront"] });

    const refused = await shop.get(`/v2/orders${path.replace("{id}", placed.id)}`, { key });

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
  });
});
