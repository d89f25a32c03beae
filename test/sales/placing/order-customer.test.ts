// The customer of an order: found, created, kept as the order names them, and shown to a storefront only as far
// as it sent them.

import { describe, expect, test } from "bun:test";

import { ada, adaMensah, kofi, mug } from "../../support/cast.ts";
import { sharedShop } from "../../support/shop.ts";
import { of, place, reread } from "../orders/counter.ts";

const shop = sharedShop({ asks: "nothing" });

describe("the customer of an order", () => {
  test("is matched by email, whatever its case", async () => {
    const cup = await mug(shop);
    const customer = await adaMensah(shop);
    await shop.announced();

    const placed = await place(shop, [of(cup)], {
      customer: { email: customer.email.toUpperCase() },
    });

    expect(placed.at("/customer")).toEqual(customer);
    expect(await shop.announcedNames()).toEqual(["order.placed"]);
  });

  test("is in the order as the order names them, beside what the record knows", async () => {
    const cup = await mug(shop);
    const known = await adaMensah(shop);
    const customer = { email: known.email, phone: "+233500000000" };

    const placed = await place(shop, [of(cup)], { customer });

    expect(placed.at("/customer")).toEqual({ ...known, ...customer });
    expect((await shop.get(`/v2/customers/${known.id}`)).at("/phone")).toBe(known.phone);
  });

  test("gets the phone and name that their record lacked", async () => {
    const cup = await mug(shop);
    const { email, phone } = kofi(shop);
    const known = await shop.post("/v2/customers", { email });
    await shop.announced();

    await place(shop, [of(cup)], { customer: { email, phone, name: "Kofi Boateng" } });

    const after = await shop.get(`/v2/customers/${known.id}`);
    expect(after.body).toMatchObject({ phone, name: "Kofi Boateng" });
    expect(await shop.announcedNames()).toEqual(["customer.updated", "order.placed"]);
  });

  test("does not get a phone that another customer has, and the order keeps it", async () => {
    const cup = await mug(shop);
    const { phone } = await adaMensah(shop);
    const { email } = kofi(shop);
    const known = await shop.post("/v2/customers", { email });

    const placed = await place(shop, [of(cup)], { customer: { email, phone } });

    expect(placed.at("/customer")).toMatchObject({ id: known.id, phone });
    expect((await shop.get(`/v2/customers/${known.id}`)).at("/phone")).toBeNull();
  });

  test("is matched by phone if no customer has the email", async () => {
    const cup = await mug(shop);
    const { id, phone } = await adaMensah(shop);

    const placed = await place(shop, [of(cup)], {
      customer: { email: "ada@work.example", phone },
    });

    expect(placed.at("/customer_id")).toBe(id);
  });

  test("is created and announced if no customer matches", async () => {
    const cup = await mug(shop);
    const { email } = kofi(shop);
    await shop.announced();

    const placed = await place(shop, [of(cup)], { customer: { email, name: "Kofi" } });

    const customer = await shop.get(`/v2/customers/${placed.string("/customer_id")}`);
    expect(customer.body).toMatchObject({ email, name: "Kofi" });
    expect(await shop.announcedNames()).toEqual(["customer.created", "order.placed"]);
  });

  test("without an email is announced with null", async () => {
    const cup = await mug(shop);

    const placed = await place(shop, [of(cup)], { customer: { phone: "+256701234567" } });

    expect((await shop.announced()).at(-1)).toMatchObject({
      event: "order.placed",
      data: { customer: { id: placed.at("/customer_id"), email: null } },
    });
  });

  test("is counted one more order", async () => {
    const cup = await mug(shop);
    const customer = await ada(shop);

    await place(shop, [of(cup)], { customer_id: customer });

    expect((await shop.get(`/v2/customers/${customer}`)).at("/orders_count")).toBe(1);
  });

  test("stays on the order as they were when it was placed", async () => {
    const cup = await mug(shop);
    const customer = await adaMensah(shop);
    const placed = await place(shop, [of(cup)], { customer_id: customer.id });
    await shop.put(`/v2/customers/${customer.id}`, { name: "Ada Lovelace" });

    const found = await reread(shop, placed);

    expect(found.at("/customer/name")).toBe(customer.name);
  });
});

describe("a storefront", () => {
  test("gets nothing of a known customer that it did not send", async () => {
    const cup = await mug(shop);
    const customer = await adaMensah(shop);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const email = customer.email.replace("ada", "Ada");

    const placed = await shop.post(
      "/v2/orders",
      {
        line_items: [of(cup)],
        customer: { email, phone: "+233500000000", name: "Someone" },
      },
      { key },
    );

    expect(placed.status).toBe(201);
    expect(placed.at("/customer")).toEqual({
      id: "cus_00000000000000000000000000",
      email: customer.email,
      phone: "+233500000000",
      name: "Someone",
    });
    expect(await reread(shop, placed)).toMatchObject({ body: { customer_id: customer.id } });
    expect(placed.text).not.toContain("Mensah");
    expect(placed.text).not.toContain(customer.phone.slice(1));
  });

  test("changes no record of a customer whose email it knows", async () => {
    const cup = await mug(shop);
    const customer = { ...kofi(shop), name: "Someone" };
    const known = await shop.post("/v2/customers", { email: customer.email });
    const key = await shop.createKey({ scopes: ["storefront"] });

    const placed = await shop.post("/v2/orders", { line_items: [of(cup)], customer }, { key });

    const after = await shop.get(`/v2/customers/${known.id}`);
    expect((await reread(shop, placed)).at("/customer")).toEqual({ id: known.id, ...customer });
    expect([after.at("/phone"), after.at("/name"), after.at("/version")]).toEqual([null, null, 1]);
  });

  test("makes an unverified customer, whom the merchant's word names", async () => {
    const cup = await mug(shop);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const contact = { ...kofi(shop), name: "Someone" };
    const body = { line_items: [of(cup)], customer: contact };
    const placed = await reread(shop, await shop.post("/v2/orders", body, { key }));
    const path = `/v2/customers/${placed.string("/customer_id")}`;
    const before = await shop.get(path);

    const said = { email: contact.email, phone: kofi(shop).phone, name: "Kofi Boateng" };
    await place(shop, [of(cup)], { customer: said });

    const { phone, name } = said;
    expect(before.body).toMatchObject({ ...contact, unverified: true });
    expect((await shop.get(path)).body).toMatchObject({ phone, name, unverified: false });
  });

  test("places an order of the customer whom the merchant has put into the cart, and is not told", async () => {
    const customer = await adaMensah(shop);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const lines = { line_items: [of(await mug(shop))], email: "x@example.com" };
    const cart = await shop.post("/v2/carts", { ...lines, customer_id: customer.id });

    const placed = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });

    expect((await reread(shop, placed)).at("/customer/email")).toBe(customer.email);
    expect(placed.at("/customer_id")).toBeNull();
    expect(placed.at("/customer")).toMatchObject({ email: null, phone: null, name: null });
  });

  test.each(["", "/{id}", "/{id}/events"])("cannot read /v2/orders%s", async (path) => {
    const placed = await place(shop, [of(await mug(shop))]);
    const key = await shop.createKey({ scopes: ["storefront"] });

    const refused = await shop.get(`/v2/orders${path.replace("{id}", placed.id)}`, { key });

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
  });
});
