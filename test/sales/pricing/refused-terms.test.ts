// Changes of what decides on prices that are refused, with every fault at once and nothing changed.

import { beforeAll, describe, expect, test } from "bun:test";

import { openTestShop, sharedShop } from "../../support/shop.ts";
import { cancel, place } from "../orders/counter.ts";
import { berlin, must, of, tax, usd } from "./priced-shop.ts";
import { refused, stocked } from "./refused.ts";

const shop = sharedShop();
let stock: Awaited<ReturnType<typeof stocked>>;
beforeAll(async () => {
  stock = await stocked(shop);
  await tax(shop, "GH", { rates: [] });
});

test("a discount that a cancelled order used stays, and so does its code", async () => {
  await using shop = await openTestShop();
  const { id, cup } = await stocked(shop);
  const order = await place(shop, [of(cup)], { discount_codes: ["SAVE10"] });
  must(await cancel(shop, order), 200);

  const whole = await refused(shop, () => shop.delete(`/v2/discounts/${id}`));
  const code = await refused(shop, () => shop.delete(`/v2/discounts/${id}/codes/save10`));

  expect([whole.status, whole.code]).toEqual([409, "discount_in_use"]);
  expect([code.status, code.code]).toEqual([409, "discount_in_use"]);
});

test("a code that is taken is told together with other faults", async () => {
  await using shop = await openTestShop();
  const { id } = await stocked(shop);
  must(await shop.put(`/v2/discounts/${id}`, { archived: true }), 200);

  const made = await refused(shop, () =>
    shop.post("/v2/discounts", {
      title: "Other",
      target: "order",
      percent: 101,
      codes: ["OTHER", "save10"],
    }),
  );
  const added = await refused(shop, () =>
    shop.post(`/v2/discounts/${id}/codes`, { codes: ["Save10", "NEW", "new"] }),
  );

  expect([made.status, made.faults]).toEqual([
    422,
    ["#/codes/1 duplicate", "#/percent percent_invalid"],
  ]);
  expect([added.status, added.faults]).toEqual([
    422,
    ["#/codes/2 duplicate", "#/codes/0 duplicate"],
  ]);
});

test("a discount stays as it was where a change has faults", async () => {
  const { id } = stock;

  const answer = await refused(shop, () =>
    shop.put(`/v2/discounts/${id}`, {
      title: "Winter",
      percent: "10.00001",
      scope: {},
      minimum: { amounts: usd(0) },
      starts_at: "2026-03-01T00:00:00Z",
      ends_at: "2026-02-01T00:00:00Z",
    }),
  );

  expect(answer.faults.toSorted()).toEqual([
    "#/ends_at dates_backwards",
    "#/minimum/amounts/0/amount amount_too_small",
    "#/percent rate_precision",
    "#/scope scope_empty",
  ]);
});

test("a zone, its rate and a pickup location stay as they were where a change has faults", async () => {
  const { rider } = stock;
  const made = { name: "Store", address: berlin };
  const store = must(await shop.post("/v2/pickup-locations", made), 201).id;
  const zone = (await shop.get(`/v2/shipping-rates/${rider}`)).string("/zone_id");
  const put = (path: string, body: object) => () => shop.put(`/v2/${path}`, body);

  const places = [{ country: "GH" }, { country: "GH" }, { country: "ZZ", region: "-" }];
  const ofZone = await refused(shop, put(`shipping-zones/${zone}`, { name: "West", places }));
  const ofRate = await refused(
    shop,
    put(`shipping-rates/${rider}`, {
      tiers: [{ from: 1, amounts: usd("0.001") }],
      free_over: [...usd(5), ...usd(6)],
      min_days: 3,
      max_days: 2,
    }),
  );
  const ofStore = await refused(
    shop,
    put(`pickup-locations/${store}`, {
      address: { line1: "1 Road", city: "Nowhere" },
      amounts: [...usd(1), ...usd("1.001")],
    }),
  );

  expect(ofZone.faults.toSorted()).toEqual([
    "#/places/1 duplicate",
    "#/places/2/country invalid_choice",
    "#/places/2/region invalid_format",
  ]);
  expect(ofRate.faults.toSorted()).toEqual([
    "#/free_over/1/currency duplicate",
    "#/max_days out_of_range",
    "#/tiers/0/amounts/0/amount amount_precision",
    "#/tiers/0/from out_of_range",
  ]);
  expect(ofStore.faults.toSorted()).toEqual([
    "#/address/country required",
    "#/amounts/1/amount amount_precision",
    "#/amounts/1/currency duplicate",
  ]);
});

test("tax rates are refused as a whole, with the rate that stands in the way", async () => {
  await using shop = await openTestShop();
  await tax(shop, "GH", { rates: [{ name: "VAT", rate: 16 }] });
  const vat = (await shop.get("/v2/tax-rates")).string("/data/0/id");

  const preset = await refused(shop, () => shop.post("/v2/tax-rates/presets", { country: "GH" }));
  const other = await refused(shop, () =>
    shop.post("/v2/tax-rates", { country: "GH", name: "VAT", rate: 15 }),
  );
  const ended = await refused(shop, () =>
    shop.put(`/v2/tax-rates/${vat}`, { valid_until: "2025-01-01" }),
  );

  expect([preset.status, preset.code]).toEqual([409, "tax_rate_overlaps"]);
  expect([other.code, other.at("/existing_id")]).toEqual(["tax_rate_overlaps", vat]);
  expect(ended.faults).toEqual(["#/valid_until dates_backwards"]);
});

describe("a name that a customer reads", () => {
  const plain = { target: "order", percent: 5, automatic: false };

  test("is not of spaces alone", async () => {
    const { rider, cup } = stock;
    const name = " \n ";
    const manual = { line_items: [of(cup)], discount: { title: name, percent: 5 } };

    const answers = [
      await refused(shop, () => shop.post("/v2/discounts", { ...plain, title: name })),
      await refused(shop, () => shop.post("/v2/shipping-zones", { name, places: [] })),
      await refused(shop, () => shop.put(`/v2/shipping-rates/${rider}`, { name })),
      await refused(shop, () => shop.post("/v2/pickup-locations", { name, address: berlin })),
      await refused(shop, () => shop.post("/v2/tax-rates", { country: "GH", name, rate: 5 })),
      await refused(shop, () => shop.post("/v2/orders", manual)),
    ];

    expect(answers.map(({ faults }) => faults[0])).toEqual([
      "#/title too_short",
      ...Array(4).fill("#/name too_short"),
      "#/discount/title too_short",
    ]);
  });

  test("loses the marks of its direction, as the tags of customers do", async () => {
    const made = await shop.post("/v2/discounts", {
      ...plain,
      title: "Ten\u200f off",
      customer_tags: ["vip\u200f"],
      scope: { tags: ["tea\u200e"] },
    });

    expect(made.body).toMatchObject({
      title: "Ten off",
      customer_tags: ["vip"],
      scope: { tags: ["tea"] },
    });
  });
});
