// Erasing and exporting a customer without orders.

import { describe, expect, test } from "bun:test";

import { countOrder } from "#customers/create-customer.ts";
import type { Customer } from "#customers/customer.ts";
import { isId } from "#kernel/id.ts";

import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

const shop = sharedShop();
/** A shop without any customer but Ada, who is erased. */
const empty = sharedShop();

const DAY_MS = 86_400_000;

/** Ada, under a contact of her own in a shared shop. */
function adaOf(shop: TestShop) {
  const number = shop.nextNumber();
  return {
    email: `ada${number ?? ""}@shop.example`,
    phone: `+2332012${number === null ? "34567" : 40_000 + number}`,
    first_name: "Ada",
    last_name: "Mensah",
    addresses: [{ line1: "12 Ring Road" }],
    marketing_consent: true,
    tags: ["vip"],
    metadata: { nickname: "Countess" },
  };
}

/** Ada's personal data, which no response or event may contain. */
const traces = /ada\d*@|Ada|Mensah|Ring Road|2332012|vip|Countess/;

describe("an erased customer", () => {
  test("keeps its record without personal data", async () => {
    await using shop = await openTestShop();
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    shop.clock.advance(DAY_MS);

    const erased = await shop.post(`/v2/customers/${made.id}/erase`);

    expect(erased.status).toBe(200);
    expect(erased.body).toEqual({
      id: made.id,
      email: null,
      phone: null,
      name: null,
      first_name: null,
      last_name: null,
      addresses: [],
      marketing_consent: false,
      tags: [],
      metadata: {},
      orders_count: 0,
      unverified: false,
      tax_id: null,
      tax_exemption: "none",
      email_verified_at: null,
      phone_verified_at: null,
      erased_at: "2026-01-06T08:00:00.000Z",
      version: 2,
      created_at: "2026-01-05T08:00:00.000Z",
      updated_at: "2026-01-06T08:00:00.000Z",
    });
  });

  test("emits customer.deleted without personal data", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.announced();

    await shop.post(`/v2/customers/${made.id}/erase`);

    expect(await shop.announced()).toEqual([
      { event: "customer.deleted", data: { id: made.id, deleted: true } },
    ]);
  });

  test("is redacted in every event of the log, which keeps their order", async () => {
    await using shop = await openTestShop();
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.put(`/v2/customers/${made.id}`, { name: "Countess" });
    const before = await shop.events();

    await shop.post(`/v2/customers/${made.id}/erase`);

    const after = await shop.events();
    expect(JSON.stringify(after)).not.toMatch(traces);
    expect(
      after.slice(0, before.length).map(({ id, sequence, name }) => [id, sequence, name]),
    ).toEqual(before.map(({ id, sequence, name }) => [id, sequence, name]));
  });

  test("is redacted in stored answers, and a retry still replays them", async () => {
    const ada = adaOf(shop);
    const headers = { "Idempotency-Key": "ada-1" };
    const made = await shop.post("/v2/customers", ada, { headers });
    await shop.post(`/v2/customers/${made.id}/erase`);
    await shop.announced();

    const retried = await shop.post("/v2/customers", ada, { headers });

    expect([retried.status, retried.id, retried.at("/email")]).toEqual([201, made.id, null]);
    expect(retried.text).not.toMatch(traces);
    expect(await shop.announced()).toEqual([]);
  });

  test.each(["q=ada", "q=mensah", "tag=vip", "email=ada%40shop.example", "phone=%2B233201234567"])(
    "is not found by %s",
    async (query) => {
      const contact = { email: "ada@shop.example", phone: "+233201234567" };
      const made = await empty.post("/v2/customers", { ...adaOf(empty), ...contact });
      expect((await empty.get(`/v2/customers?${query}`)).list("/data")).toHaveLength(1);

      await empty.post(`/v2/customers/${made.id}/erase`);

      expect((await empty.get(`/v2/customers?${query}`)).list("/data")).toEqual([]);
    },
  );

  test("is unchanged when erased again", async () => {
    await using shop = await openTestShop();
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    const erased = await shop.post(`/v2/customers/${made.id}/erase`);
    await shop.announced();
    shop.clock.advance(DAY_MS);

    const again = await shop.post(`/v2/customers/${made.id}/erase`);

    expect(again.body).toEqual(erased.body);
    expect(await shop.announced()).toEqual([]);
  });

  test("cannot be changed", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.post(`/v2/customers/${made.id}/erase`);

    const refused = await shop.put(`/v2/customers/${made.id}`, { email: ada.email });

    expect([refused.status, refused.code]).toEqual([409, "customer_erased"]);
  });

  test("keeps its count of orders, which no longer rises", async () => {
    const ada = adaOf(shop);
    const { id } = await shop.post("/v2/customers", ada);
    await order(shop, id);
    await shop.post(`/v2/customers/${id}/erase`);

    const counted = await order(shop, id);

    expect(counted).toBeUndefined();
    expect((await shop.get(`/v2/customers/${id}`)).at("/orders_count")).toBe(1);
  });

  test("frees its email and phone", async () => {
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.post(`/v2/customers/${made.id}/erase`);

    const again = await shop.post("/v2/customers", ada);

    expect(again.status).toBe(201);
  });

  test("leaves other customers unchanged", async () => {
    await using shop = await openTestShop();
    const ada = adaOf(shop);
    const grace = await shop.post("/v2/customers", { email: "grace@shop.example", tags: ["vip"] });
    const made = await shop.post("/v2/customers", ada);
    const [announced] = await shop.announced();

    await shop.post(`/v2/customers/${made.id}/erase`);

    expect((await shop.get("/v2/customers?tag=vip&q=grace")).list("/data")).toEqual([grace.body]);
    expect(JSON.parse((await shop.events())[0]?.data ?? "")).toEqual(announced?.data);
  });
});

describe("an export", () => {
  test("has the record, its events and the time of the shop's clock", async () => {
    await using shop = await openTestShop();
    const ada = adaOf(shop);
    const made = await shop.post("/v2/customers", ada);
    await shop.post("/v2/customers", { email: "grace@shop.example" });
    const changed = await shop.put(`/v2/customers/${made.id}`, { tags: [] });
    shop.clock.advance(DAY_MS);

    const exported = await shop.get(`/v2/customers/${made.id}/export`);

    expect(exported.status).toBe(200);
    expect(exported.at("/customer")).toEqual(changed.body);
    expect(exported.at("/exported_at")).toBe("2026-01-06T08:00:00.000Z");
    expect(
      exported.list("/events").map((event) => [Object(event).event, Object(event).data]),
    ).toEqual([
      ["customer.created", made.body],
      ["customer.updated", changed.body],
    ]);
  });

  test("of an unknown customer is not found", async () => {
    const missing = await shop.get("/v2/customers/cus_01h455vb4pex5vsknk084sn02q/export");

    expect([missing.status, missing.code]).toEqual([404, "customer_not_found"]);
  });
});

/** Counts an order as placing one does. */
async function order(shop: TestShop, id: string): Promise<Customer | undefined> {
  if (!isId("customer", id)) throw new Error(`${id} is no customer`);
  return shop.test.database.write((tx) => countOrder(tx, id));
}
