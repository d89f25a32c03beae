// Customers over HTTP: creating, reading, changing and deleting them, and the events of each.

import { describe, expect, test } from "bun:test";

import { countOrder } from "#customers/create-customer.ts";
import { isId } from "#kernel/id.ts";

import { kofi } from "../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

const shop = sharedShop();

const DAY_MS = 86_400_000;

type Ada = ReturnType<typeof adaOf>;

/** Ada, under a contact of her own in a shared shop. */
function adaOf(shop: TestShop) {
  const number = shop.nextNumber();
  return {
    email: `Ada${number ?? ""}@Shop.Example`,
    phone: `+2332012${number === null ? "34567" : 40_000 + number}`,
    first_name: "Ada",
    last_name: "Mensah",
    addresses: [{ line1: "12 Ring Road", city: "Accra", country: "GH" }],
    marketing_consent: true,
    tags: ["vip", "wholesale"],
    metadata: { shoe: 38 },
  };
}

describe("creating a customer", () => {
  test("returns the record and its location", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);

    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/v2/customers/${made.id}`);
    expect(made.body).toEqual({
      id: made.id,
      email: ada.email.toLowerCase(),
      phone: ada.phone,
      name: "Ada Mensah",
      first_name: "Ada",
      last_name: "Mensah",
      addresses: [
        {
          name: null,
          line1: "12 Ring Road",
          line2: null,
          city: "Accra",
          region: null,
          postal_code: null,
          country: "GH",
          phone: null,
        },
      ],
      marketing_consent: true,
      tags: ["vip", "wholesale"],
      metadata: { shoe: 38 },
      orders_count: 0,
      unverified: false,
      tax_id: null,
      tax_exemption: "none",
      email_verified_at: null,
      phone_verified_at: null,
      erased_at: null,
      version: 1,
      created_at: "2026-01-05T08:00:00.000Z",
      updated_at: "2026-01-05T08:00:00.000Z",
    });
  });

  test("takes the code of a country in small letters", async () => {
    const made = await shop.post("/v2/customers", {
      ...adaOf(shop),
      addresses: [{ city: "Accra", country: "gh" }],
    });

    expect(made.at("/addresses/0/country")).toBe("GH");
  });

  test("emits customer.created with the record as returned", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);

    expect(await shop.announced()).toEqual([{ event: "customer.created", data: made.body }]);
  });

  test("needs an email or a phone", async () => {
    const refused = await shop.post("/v2/customers", { name: "Ada" });

    expect([refused.status, refused.code]).toEqual([422, "validation_failed"]);
    expect(refused.faults).toEqual(["#/email required", "#/phone required"]);
    expect(await shop.announced()).toEqual([]);
  });

  test.each([
    ["email", ({ email }: Ada) => ({ email: email.toUpperCase(), phone: "+233209999999" })],
    ["phone", ({ phone }: Ada) => ({ email: "grace@shop.example", phone })],
  ])("with the %s of another is refused with its id", async (field, secondOf) => {
    const ada = adaOf(shop);
    const first = await shop.post("/v2/customers", ada);
    await shop.announced();

    const refused = await shop.post("/v2/customers", secondOf(ada));

    expect([refused.status, refused.code]).toEqual([409, "customer_exists"]);
    expect([refused.at("/existing_id"), refused.at("/field")]).toEqual([first.id, field]);
    expect(await shop.announced()).toEqual([]);
  });

  test("twice at once creates one", async () => {
    const ada = adaOf(shop);
    const answers = await Promise.all([
      shop.post("/v2/customers", ada),
      shop.post("/v2/customers", ada),
    ]);

    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201, 409]));
  });

  test.each([
    ["a tag given twice", { tags: ["vip", "vip"] }, "#/tags duplicate"],
    ["an empty tag", { tags: [""] }, "#/tags/0 too_short"],
    ["a tag of 51 characters", { tags: ["x".repeat(51)] }, "#/tags/0 too_long"],
    ["51 tags", { tags: Array.from({ length: 51 }, (_, at) => `t${at}`) }, "#/tags too_many"],
    ["a local phone", { phone: "0201234567" }, "#/phone invalid_format"],
    ["half an email", { email: "ada@" }, "#/email invalid_format"],
    [
      "a country by name",
      { addresses: [{ country: "Ghana" }] },
      "#/addresses/0/country invalid_format",
    ],
    ["an empty address", { addresses: [{}] }, "#/addresses/0 too_few"],
    ["a read-only field", { orders_count: 5 }, "#/orders_count unknown_field"],
  ])("is refused for %s", async (_, fields, fault) => {
    const ada = adaOf(shop);
    const refused = await shop.post("/v2/customers", { ...ada, ...fields });

    expect(refused.status).toBe(422);
    expect(refused.faults).toContain(fault);
  });

  test("is all that customers:create allows", async () => {
    const key = await shop.createKey({ scopes: ["customers:create"] });

    const made = await shop.post("/v2/customers", { email: "ada@shop.example" }, { key });
    const list = await shop.get("/v2/customers", { key });
    const read = await shop.get(`/v2/customers/${made.id}`, { key });

    expect([made.status, list.status, read.status]).toEqual([201, 403, 403]);
  });
});

describe("changing a customer", () => {
  test("replaces the given fields, keeps the rest and emits customer.updated", async () => {
    await using shop = await openTestShop();
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.announced();
    shop.clock.advance(DAY_MS);

    const changed = await shop.put(`/v2/customers/${made.id}`, {
      last_name: "Owusu",
      phone: null,
      tags: ["wholesale", "press"],
    });

    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...Object(made.body),
      last_name: "Owusu",
      name: "Ada Owusu",
      phone: null,
      tags: ["wholesale", "press"],
      version: 2,
      updated_at: "2026-01-06T08:00:00.000Z",
    });
    expect(await shop.announced()).toEqual([{ event: "customer.updated", data: changed.body }]);
  });

  test("to the same values changes and emits nothing", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.announced();

    const same = await shop.put(`/v2/customers/${made.id}`, ada);

    expect(same.body).toEqual(made.body);
    expect(await shop.announced()).toEqual([]);
  });

  test("by null is empty where it may be, and keeps its value where it may not", async () => {
    const made = await shop.post("/v2/customers", {
      email: "ada@example.com",
      name: "Ada",
      marketing_consent: true,
      tags: ["vip"],
      metadata: { since: 2019 },
    });

    const changed = await shop.put(`/v2/customers/${made.id}`, {
      name: null,
      marketing_consent: null,
      tags: null,
      metadata: null,
    });

    expect(changed.body).toMatchObject({
      name: null,
      marketing_consent: true,
      tags: ["vip"],
      metadata: { since: 2019 },
    });
  });

  test("cannot remove both email and phone", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.announced();

    const refused = await shop.put(`/v2/customers/${made.id}`, { email: null, phone: null });

    expect(refused.faults).toEqual(["#/email required", "#/phone required"]);
    expect((await shop.get(`/v2/customers/${made.id}`)).body).toEqual(made.body);
    expect(await shop.announced()).toEqual([]);
  });

  test("to the phone of another is refused with its id", async () => {
    const ada = adaOf(shop);
    const first = await shop.post("/v2/customers", ada);
    const second = await shop.post("/v2/customers", kofi(shop));
    await shop.announced();

    const refused = await shop.put(`/v2/customers/${second.id}`, { phone: ada.phone });

    expect([refused.status, refused.code]).toEqual([409, "customer_exists"]);
    expect([refused.at("/existing_id"), refused.at("/field")]).toEqual([first.id, "phone"]);
    expect(await shop.announced()).toEqual([]);
  });

  test("of an outdated version is refused", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    const headers = { "If-Match": made.headers.get("etag") ?? "" };
    await shop.put(`/v2/customers/${made.id}`, { name: "The Countess" });

    const refused = await shop.put(`/v2/customers/${made.id}`, { name: "Ada" }, { headers });

    expect([refused.status, refused.code]).toEqual([412, "stale_version"]);
    expect(refused.at("/current_version")).toBe(2);
  });

  test("keeps the orders counted in the meantime", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await order(shop, made.id);

    const changed = await shop.put(`/v2/customers/${made.id}`, { name: "The Countess" });

    expect([changed.at("/orders_count"), changed.at("/version")]).toEqual([1, 2]);
  });
});

describe("reading a customer", () => {
  test("after an order returns another ETag of the same version", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    const tag = made.headers.get("etag") ?? "";
    await order(shop, made.id);

    const read = await shop.get(`/v2/customers/${made.id}`, { headers: { "If-None-Match": tag } });

    expect([read.status, read.at("/orders_count"), read.at("/version")]).toEqual([200, 1, 1]);
  });

  test.each(["cus_01h455vb4pex5vsknk084sn02q", "cus_1", "ord_01h455vb4pex5vsknk084sn02q"])(
    "with the unknown id %s is not found",
    async (id) => {
      const missing = await shop.get(`/v2/customers/${id}`);

      expect([missing.status, missing.code]).toEqual([404, "customer_not_found"]);
    },
  );
});

describe("deleting a customer", () => {
  test("removes the record and emits customer.deleted", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.announced();

    const gone = await shop.delete(`/v2/customers/${made.id}`);

    expect(gone.status).toBe(204);
    expect((await shop.get(`/v2/customers/${made.id}`)).status).toBe(404);
    expect(await shop.announced()).toEqual([
      { event: "customer.deleted", data: { id: made.id, deleted: true } },
    ]);
  });

  test("removes personal data from the log", async () => {
    await using shop = await openTestShop();
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);

    await shop.delete(`/v2/customers/${made.id}`);

    expect(JSON.stringify(await shop.events())).not.toMatch(/ada@shop|Mensah|233201234567|Ring/);
  });

  test("frees the email and phone", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.delete(`/v2/customers/${made.id}`);

    const again = await shop.post("/v2/customers", ada);

    expect(again.status).toBe(201);
  });

  test("with orders is refused", async () => {
    await using shop = await openTestShop();
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await order(shop, made.id);
    await shop.announced();

    const refused = await shop.delete(`/v2/customers/${made.id}`);

    expect([refused.status, refused.code]).toEqual([409, "customer_has_orders"]);
    expect((await shop.get("/v2/customers?tag=vip")).list("/data")).toHaveLength(1);
    expect(await shop.announced()).toEqual([]);
  });
});

/** Counts an order as placing one does. */
async function order(shop: TestShop, id: string): Promise<void> {
  if (!isId("customer", id)) throw new Error(`${id} is no customer`);
  await shop.test.database.write((tx) => countOrder(tx, id));
}
