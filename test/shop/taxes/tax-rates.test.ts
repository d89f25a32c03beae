// Tax rates: how they are created, ended, listed and adopted.

import { beforeAll, beforeEach, describe, expect, test } from "bun:test";

import fc from "fast-check";

import { atOnce, statuses } from "../../support/at-once.ts";
import { runs } from "../../support/runs.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const VAT = { country: "GH", name: "VAT", rate: 15 };
const ACCRA = { country: "GH", timezone: "Africa/Accra", currency: "GHS" };

const shop = sharedShop();
/** No other test has a rate of this class. */
let tax_class = "standard";
beforeAll(() => shop.put("/v2/store", ACCRA));
beforeEach(() => {
  tax_class = `class_${shop.nextNumber()}`;
});

async function openInAccra(): Promise<TestShop> {
  const own = await openTestShop();
  await own.put("/v2/store", ACCRA);
  tax_class = "standard";
  return own;
}

const create = (shop: TestShop, fields: object = {}) =>
  shop.post("/v2/tax-rates", { ...VAT, tax_class, ...fields });

describe("a new tax rate", () => {
  test("holds from now on in the whole country, for the standard class", async () => {
    await using shop = await openInAccra();

    const made = await create(shop);

    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/v2/tax-rates/${made.id}`);
    expect(made.body).toMatchObject({
      country: "GH",
      region: null,
      postal_prefix: null,
      tax_class: "standard",
      name: "VAT",
      rate: 15,
      valid_from: "2026-01-05T08:00:00.000Z",
      valid_until: null,
      version: 1,
    });
    expect((await shop.get(`/v2/tax-rates/${made.id}`)).body).toEqual(made.body);
    expect(await shop.announced()).toEqual([]);
  });

  test("that begins on a day holds from that day's midnight at the store", async () => {
    await using shop = await openInAccra();
    await shop.put("/v2/store", { timezone: "Africa/Nairobi" });

    const made = await create(shop, { valid_from: "2026-03-01" });

    expect(made.at("/valid_from")).toBe("2026-02-28T21:00:00.000Z");
  });

  test("needs the country of the store, and the store keeps it afterwards", async () => {
    await using shop = await openTestShop();
    const early = await create(shop);
    await shop.put("/v2/store", { country: "GH" });
    await create(shop);

    const removed = await shop.put("/v2/store", { country: null });

    expect([early.status, early.code]).toEqual([409, "store_country_missing"]);
    expect([removed.status, removed.code]).toEqual([409, "store_country_missing"]);
    expect((await shop.get("/v2/store")).at("/country")).toBe("GH");
  });

  test("is refused with everything that is wrong with it", async () => {
    await using shop = await openInAccra();

    const meaning = await create(shop, {
      country: "ZZ",
      region: "--",
      tax_class: "exempt",
      rate: "7.12345",
    });
    const both = await create(shop, { region: "Ashanti", postal_prefix: "AK" });
    const signs = await create(shop, { postal_prefix: "--" });
    const shape = await create(shop, {
      country: "Ghana",
      tax_class: "Standard",
      name: "",
      rate: -1,
      valid_from: "2026-02-30",
      valid_until: null,
    });

    expect(meaning.faults).toEqual([
      "#/country invalid_choice",
      "#/region invalid_format",
      "#/tax_class invalid_choice",
      "#/rate rate_precision",
    ]);
    expect(both.faults).toEqual(["#/postal_prefix conflicting_fields"]);
    expect(signs.faults).toEqual(["#/postal_prefix invalid_format"]);
    expect(shape.status).toBe(422);
    expect(new Set(shape.faults.map((fault) => fault.split(" ")[0]))).toEqual(
      new Set(["#/country", "#/name", "#/rate", "#/tax_class", "#/valid_from", "#/valid_until"]),
    );
    expect((await shop.get("/v2/tax-rates")).list("/data")).toEqual([]);
  });

  test("of more than a hundred percent is refused", async () => {
    expect((await create(shop, { rate: 100.0001 })).faults).toEqual(["#/rate percent_invalid"]);
    expect((await create(shop, { rate: 100 })).status).toBe(201);
  });

  test("keeps the percentage that was sent, to four decimals, as a number or as text", async () => {
    await using shop = await openInAccra();
    const percentages = fc.tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.boolean());
    let number = 0;

    await fc.assert(
      fc.asyncProperty(percentages, async ([millionths, isText]) => {
        const digits = String(millionths).padStart(5, "0");
        const text = `${digits.slice(0, -4)}.${digits.slice(-4)}`;
        number += 1;
        const rate = isText ? text : Number(text);

        const made = await create(shop, { tax_class: `class_${number}`, rate });

        expect(made.at("/rate")).toBe(Number(text));
      }),
      { numRuns: runs(25) },
    );
  });
});

describe("rates of one place, class and name", () => {
  test("never hold at the same time", async () => {
    const first = await create(shop, { valid_from: "2026-01-01" });

    const again = await create(shop, { valid_from: "2026-07-01", rate: 12.5 });

    expect([again.status, again.code]).toEqual([409, "tax_rate_overlaps"]);
    expect(again.at("/existing_id")).toBe(first.id);
  });

  test("follow one another at midnight", async () => {
    await using shop = await openInAccra();
    const first = await create(shop, { valid_from: "2026-01-01" });
    await shop.put(`/v2/tax-rates/${first.id}`, { valid_until: "2026-07-01" });

    const next = await create(shop, { valid_from: "2026-07-01", rate: 12.5 });

    expect(next.status).toBe(201);
    const activeAt = async (instant: string) =>
      (await shop.get(`/v2/tax-rates?active_at=${instant}`)).at("/data/0/rate");
    expect(await activeAt("2026-06-30T23:59:59.999Z")).toBe(15);
    expect(await activeAt("2026-07-01T00:00:00.000Z")).toBe(12.5);
    expect(await activeAt("2026-07-01")).toBe(12.5);
  });

  test.each([
    [{ country: "KE" }],
    [{ region: "Ashanti" }],
    [{ postal_prefix: "GA" }],
    [{ tax_class: "reduced" }],
    [{ name: "NHIL" }],
  ])("are others with %j", async (difference) => {
    await create(shop);

    expect((await create(shop, difference)).status).toBe(201);
  });

  test("are the same however the region is spelled", async () => {
    await create(shop, { country: "FR", region: "Île-de-France" });

    const again = await create(shop, { country: "FR", region: "ILE DE  FRANCE" });

    expect(again.code).toBe("tax_rate_overlaps");
  });

  test("are the same however the postal prefix is written", async () => {
    await create(shop, { postal_prefix: "GA-1" });

    const again = await create(shop, { postal_prefix: "ga 1" });
    const longer = await create(shop, { postal_prefix: "GA-18" });

    expect([again.code, longer.status]).toEqual(["tax_rate_overlaps", 201]);
  });

  test("are created once, however many ask for them at once", async () => {
    await using shop = await openInAccra();

    const answers = await atOnce(6, (index) => create(shop, { rate: 10 + index }));

    expect(statuses(answers).filter((status) => status === 201)).toHaveLength(1);
    expect((await shop.get("/v2/tax-rates")).list("/data")).toHaveLength(1);
  });
});

describe("the end of a rate", () => {
  test("can be set, moved and taken back", async () => {
    const { id } = await create(shop);

    const ended = await shop.put(`/v2/tax-rates/${id}`, { valid_until: "2026-02-01" });
    const moved = await shop.put(`/v2/tax-rates/${id}`, { valid_until: "2026-03-01T12:00:00Z" });
    const open = await shop.put(`/v2/tax-rates/${id}`, { valid_until: null });

    expect([ended, moved, open].map((rate) => rate.at("/valid_until"))).toEqual([
      "2026-02-01T00:00:00.000Z",
      "2026-03-01T12:00:00.000Z",
      null,
    ]);
    expect(open.at("/version")).toBe(4);
  });

  test("changes nothing if it is the same", async () => {
    const made = await create(shop);

    const same = await shop.put(`/v2/tax-rates/${made.id}`, { valid_until: null });

    expect(same.body).toEqual(made.body);
  });

  test("is not before the start", async () => {
    const { id } = await create(shop, { valid_from: "2026-02-01" });

    const refused = await shop.put(`/v2/tax-rates/${id}`, { valid_until: "2026-01-31" });

    expect(refused.faults).toEqual(["#/valid_until dates_backwards"]);
  });

  test("at the start withdraws the rate, so that a right one takes its place", async () => {
    const { id } = await create(shop, { valid_from: "2026-02-01", rate: 51 });
    await shop.put(`/v2/tax-rates/${id}`, { valid_until: "2026-02-01" });

    const right = await create(shop, { valid_from: "2026-02-01" });
    const back = await shop.put(`/v2/tax-rates/${id}`, { valid_until: null });

    expect(right.status).toBe(201);
    expect([back.code, back.at("/existing_id")]).toEqual(["tax_rate_overlaps", right.id]);
  });

  test("is all of a rate that changes", async () => {
    const { id } = await create(shop);

    const refused = await shop.put(`/v2/tax-rates/${id}`, { rate: 12, valid_until: null });

    expect(refused.faults).toEqual(["#/rate unknown_field"]);
  });

  test("is refused where the rate changed since it was read", async () => {
    const { id } = await create(shop);
    await shop.put(`/v2/tax-rates/${id}`, { valid_until: "2026-02-01" });

    const stale = await shop.put(
      `/v2/tax-rates/${id}`,
      { valid_until: null },
      { headers: { "If-Match": '"1"' } },
    );

    expect(stale.status).toBe(412);
  });
});

describe("preset rates", () => {
  const percentages = async (shop: TestShop) =>
    (await shop.get("/v2/tax-rates/presets?limit=100")).list("/data").map((preset) => {
      const { country, rates } = Object(preset);
      return `${country} ${rates.map((one: unknown) => Object(one).rate).join("+")}`;
    });

  test("are offered for Ghana, Kenya, Nigeria and the European Union", async () => {
    await using shop = await openTestShop();

    expect((await percentages(shop)).join(" ")).toBe(
      "AT 20+10 BE 21+6 BG 20+9 CY 19+5 CZ 21+12 DE 19+7 DK 25 EE 24+9 ES 21+10 FI 25.5+13.5 FR 20+5.5 GH 2.5+2.5+15 GR 24+13 HR 25+5 HU 27+5 IE 23+13.5 IT 22+10 KE 16+0 LT 21+5 LU 17+8 LV 21+5 MT 18+5 NG 7.5+0 NL 21+9 PL 23+5 PT 23+6 RO 21+11 SE 25+6 SI 22+9.5 SK 23+5",
    );
    expect((await shop.get("/v2/tax-rates")).list("/data")).toEqual([]);
  });

  test("are read page by page", async () => {
    await using shop = await openTestShop();
    const first = await shop.get("/v2/tax-rates/presets?limit=29");

    const cursor = first.string("/next_cursor");
    const second = await shop.get(`/v2/tax-rates/presets?limit=29&cursor=${cursor}`);

    expect(first.at("/data/28/country")).toBe("SI");
    expect(second.list("/data")).toHaveLength(1);
    expect(second.at("/data/0/country")).toBe("SK");
  });

  test("of the European Union have a reduced rate; Denmark has none", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { country: "DE", timezone: "Europe/Berlin" });

    const [german, danish] = [
      await shop.post("/v2/tax-rates/presets", { country: "DE" }),
      await shop.post("/v2/tax-rates/presets", { country: "DK" }),
    ];

    expect(german.list("/rates")).toMatchObject([
      { tax_class: "standard", rate: 19, valid_from: "2025-12-31T23:00:00.000Z" },
      { tax_class: "reduced", rate: 7, valid_from: "2025-12-31T23:00:00.000Z" },
    ]);
    expect(danish.list("/rates")).toMatchObject([{ tax_class: "standard", rate: 25 }]);
  });

  test("come to a shop that has adopted those of before", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { country: "DE" });
    const own = await shop.post("/v2/tax-rates", { country: "DE", name: "VAT", rate: 19 });

    const adopted = await shop.post("/v2/tax-rates/presets", { country: "DE" });

    expect(adopted.list("/rates")).toMatchObject([{ id: own.id }, { tax_class: "reduced" }]);
  });

  test("of Ghana are three, from the first of January 2026", async () => {
    await using shop = await openInAccra();

    const adopted = await shop.post("/v2/tax-rates/presets", { country: "GH" });

    const rates = adopted.list("/rates").map((one) => Object(one));
    expect(rates.map(({ name, rate }) => `${name} ${rate}`)).toEqual([
      "NHIL 2.5",
      "GETFund levy 2.5",
      "VAT 15",
    ]);
    expect(rates.map((one) => one.valid_from)).toEqual(rates.map(() => "2026-01-01T00:00:00.000Z"));
  });

  test("are written once, however often they are adopted", async () => {
    await using shop = await openInAccra();
    const own = await create(shop);

    const first = await shop.post("/v2/tax-rates/presets", { country: "GH" });
    const second = await shop.post("/v2/tax-rates/presets", { country: "GH" });

    expect(second.body).toEqual(first.body);
    expect(second.at("/rates/2/id")).toBe(own.id);
    expect((await shop.get("/v2/tax-rates")).list("/data")).toHaveLength(3);
  });

  test("write nothing where the shop has another percentage", async () => {
    await using shop = await openInAccra();
    const own = await create(shop, { rate: 12.5 });

    const refused = await shop.post("/v2/tax-rates/presets", { country: "GH" });

    expect([refused.code, refused.at("/existing_id")]).toEqual(["tax_rate_overlaps", own.id]);
    expect((await shop.get("/v2/tax-rates")).list("/data")).toHaveLength(1);
  });

  test("are refused for a country that has none, and without the country of the store", async () => {
    await using shop = await openTestShop();

    const unknown = await shop.post("/v2/tax-rates/presets", { country: "US" });
    const early = await shop.post("/v2/tax-rates/presets", { country: "GH" });

    expect(unknown.faults).toEqual(["#/country invalid_choice"]);
    expect([early.status, early.code]).toEqual([409, "store_country_missing"]);
  });
});

test("rates are listed by country, newest first", async () => {
  await using shop = await openInAccra();
  await create(shop);
  const [one, other] = [
    await create(shop, { country: "KE", rate: 16 }),
    await create(shop, { country: "KE", tax_class: "zero", rate: 0 }),
  ];

  const found = await shop.get("/v2/tax-rates?country=KE");

  expect(found.list("/data").map((rate) => Object(rate).id)).toEqual([other.id, one.id]);
});

test("a publishable key neither reads nor writes rates", async () => {
  const key = await shop.createKey({ scopes: ["storefront"] });

  const answers = [
    await shop.get("/v2/tax-rates", { key }),
    await shop.post("/v2/tax-rates", VAT, { key }),
  ];

  expect(statuses(answers)).toEqual([403, 403]);
});

test("a key that only reads may read rates", async () => {
  const key = await shop.createKey({ scopes: ["read_only"] });

  const answers = [
    await shop.get("/v2/tax-rates", { key }),
    await shop.post("/v2/tax-rates", VAT, { key }),
  ];

  expect(statuses(answers)).toEqual([200, 403]);
});
