// The rights of a person: to see all that is kept, and to be forgotten everywhere.

import { describe, expect, test } from "bun:test";

import { countOrder } from "#customers/count-order.ts";
import type { Customer } from "#customers/customer.ts";
import { isId } from "#kernel/id.ts";

import { openTestShop, type TestShop } from "../support/shop.ts";

const DAY_MS = 86_400_000;
const ada = {
  email: "ada@shop.example",
  phone: "+233201234567",
  first_name: "Ada",
  last_name: "Mensah",
  addresses: [{ line1: "12 Ring Road" }],
  marketing_consent: true,
  tags: ["vip"],
  metadata: { nickname: "Countess" },
};
/** Whatever of Ada must be nowhere. */
const traces = /ada@|Ada|Mensah|Ring Road|233201234567|vip|Countess/;

describe("an erased customer", () => {
  test("keeps the record and loses the person", async () => {
    await using shop = await openTestShop();
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
      erased_at: "2026-01-06T08:00:00.000Z",
      version: 2,
      created_at: "2026-01-05T08:00:00.000Z",
      updated_at: "2026-01-06T08:00:00.000Z",
    });
  });

  test("is announced as gone, without saying who it was", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/customers", ada);
    await shop.announced();

    await shop.post(`/v2/customers/${made.id}/erase`);

    expect(await shop.announced()).toEqual([
      { event: "customer.deleted", data: { id: made.id, deleted: true } },
    ]);
  });

  test("is in no payload of the log, whose events keep their places", async () => {
    await using shop = await openTestShop();
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

  test("is in no stored answer, and a retry still makes no second one", async () => {
    await using shop = await openTestShop();
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
      await using shop = await openTestShop();
      const made = await shop.post("/v2/customers", ada);

      await shop.post(`/v2/customers/${made.id}/erase`);

      expect((await shop.get(`/v2/customers?${query}`)).list("/data")).toEqual([]);
    },
  );

  test("stays as it is when erased again", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/customers", ada);
    const erased = await shop.post(`/v2/customers/${made.id}/erase`);
    await shop.announced();
    shop.clock.advance(DAY_MS);

    const again = await shop.post(`/v2/customers/${made.id}/erase`);

    expect(again.body).toEqual(erased.body);
    expect(await shop.announced()).toEqual([]);
  });

  test("cannot be given a person again", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/customers", ada);
    await shop.post(`/v2/customers/${made.id}/erase`);

    const refused = await shop.put(`/v2/customers/${made.id}`, { email: "ada@shop.example" });

    expect([refused.status, refused.code]).toEqual([409, "customer_erased"]);
  });

  test("keeps the orders it had and gets no more", async () => {
    await using shop = await openTestShop();
    const { id } = await shop.post("/v2/customers", ada);
    await order(shop, id);
    await shop.post(`/v2/customers/${id}/erase`);

    const counted = await order(shop, id);

    expect(counted).toBeUndefined();
    expect((await shop.get(`/v2/customers/${id}`)).at("/orders_count")).toBe(1);
  });

  test("leaves email and phone to whoever comes", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/customers", ada);
    await shop.post(`/v2/customers/${made.id}/erase`);

    const again = await shop.post("/v2/customers", ada);

    expect(again.status).toBe(201);
  });

  test("leaves others alone", async () => {
    await using shop = await openTestShop();
    const grace = await shop.post("/v2/customers", { email: "grace@shop.example", tags: ["vip"] });
    const made = await shop.post("/v2/customers", ada);
    const [announced] = await shop.announced();

    await shop.post(`/v2/customers/${made.id}/erase`);

    expect((await shop.get("/v2/customers?tag=vip&q=grace")).list("/data")).toEqual([grace.body]);
    expect(JSON.parse((await shop.events())[0]?.data ?? "")).toEqual(announced?.data);
  });
});

describe("an export", () => {
  test("is the record with all that was announced of it, dated by the shop", async () => {
    await using shop = await openTestShop();
    const made = await shop.post("/v2/customers", ada);
    await shop.post("/v2/customers", { email: "grace@shop.example" });
    const changed = await shop.put(`/v2/customers/${made.id}`, { tags: [] });
    shop.clock.advance(DAY_MS);

    const found = await shop.get(`/v2/customers/${made.id}/export`);

    expect(found.status).toBe(200);
    expect(found.at("/customer")).toEqual(changed.body);
    expect(found.at("/exported_at")).toBe("2026-01-06T08:00:00.000Z");
    expect(found.list("/events").map((event) => [Object(event).event, Object(event).data])).toEqual(
      [
        ["customer.created", made.body],
        ["customer.updated", changed.body],
      ],
    );
  });

  test("of nobody is not found", async () => {
    await using shop = await openTestShop();

    const missing = await shop.get("/v2/customers/cus_01h455vb4pex5vsknk084sn02q/export");

    expect([missing.status, missing.code]).toEqual([404, "customer_not_found"]);
  });
});

/** Counts an order the way placing one does. */
async function order(shop: TestShop, id: string): Promise<Customer | undefined> {
  if (!isId("customer", id)) throw new Error(`${id} is no customer`);
  return shop.test.database.write((tx) => countOrder(tx, id));
}
