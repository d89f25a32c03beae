// Requests about prices that are refused: each answer names what is wrong and where, all of it at once, and leaves the
// shop as it was.

import { beforeAll, describe, expect, test } from "bun:test";

import { mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { basket, complete, readCart } from "../carts/basket.ts";
import { place } from "../orders/counter.ts";
import { accra, berlin, discount, must, of, reasonsOf, shipTo, sold, usd } from "./priced-shop.ts";
import { refused, stocked } from "./refused.ts";

const shop = sharedShop();
/** What the shop has before each of its tests. */
let stock: Awaited<ReturnType<typeof stocked>>;
beforeAll(async () => {
  stock = await stocked(shop);
});

const noRate = "shr_01h455vb4pex5vsknk084sn02q";
const noVariant = "var_01h455vb4pex5vsknk084sn02q";
const noLocation = "loc_01h455vb4pex5vsknk084sn02q";

describe("an order", () => {
  test("tells faults of the request before codes that do not apply", async () => {
    const { cup } = stock;

    const answer = await refused(shop, () =>
      shop.post("/v2/orders", {
        line_items: [of(cup), { name: "Gift", unit_price: "1.001", quantity: 1 }],
        discount_codes: ["NEVER"],
        shipping: { label: "Bus", amount: "2.001" },
        discount: { title: "Regular", percent: "100.5" },
        customer: { name: "Ada" },
        expected_total: "90.001",
      }),
    );

    expect([answer.status, answer.code]).toEqual([422, "validation_failed"]);
    expect(answer.faults.toSorted()).toEqual([
      "#/customer/email required",
      "#/discount/percent percent_invalid",
      "#/expected_total amount_precision",
      "#/line_items/1/unit_price amount_precision",
      "#/shipping/amount amount_precision",
    ]);
  });

  test("tells a code that does not apply before a total that differs", async () => {
    const { cup } = stock;

    const answer = await refused(shop, () =>
      shop.post("/v2/orders", {
        line_items: [of(cup)],
        discount_codes: ["save10", "never"],
        expected_total: 90,
      }),
    );

    expect([answer.status, answer.code]).toEqual([409, "discount_not_applicable"]);
    expect(answer.body).toMatchObject({
      title: "A discount code does not apply to the order.",
      codes: [{ code: "never", reason: "unknown" }],
    });
  });

  test("of another total than expected is told both in major and in minor units", async () => {
    const { cup } = stock;

    const answer = await refused(shop, () =>
      shop.post("/v2/orders", {
        line_items: [of(cup)],
        discount_codes: ["SAVE10"],
        expected_total: 100,
      }),
    );

    expect([answer.status, answer.code]).toEqual([409, "total_changed"]);
    expect(answer.body).toMatchObject({
      detail: "The total is 90.00 USD.",
      total: 90,
      total_minor: 9000,
      expected_minor: 10_000,
      currency: "USD",
    });
  });

  test("with an option that the shop does not have is told so with its other faults", async () => {
    const { cup } = stock;
    const lines = [of(cup), { variant_id: noVariant, quantity: 1 }];
    const order = (shipping: object) => ({ line_items: lines, shipping_address: accra, shipping });

    const rate = await refused(shop, () => shop.post("/v2/orders", order({ rate_id: noRate })));
    const location = await refused(shop, () =>
      shop.post("/v2/orders", order({ pickup_location_id: noLocation })),
    );
    const preview = await refused(shop, () =>
      shop.post("/v2/orders/preview", order({ rate_id: noRate })),
    );

    const variant = "#/line_items/1/variant_id unknown_variant";
    expect([rate.status, rate.faults]).toEqual([
      422,
      [variant, "#/shipping/rate_id unknown_shipping_rate"],
    ]);
    expect(location.faults).toEqual([
      variant,
      "#/shipping/pickup_location_id unknown_pickup_location",
    ]);
    expect(preview.faults).toEqual(rate.faults);
  });

  test("with an option that is not offered is told those that are", async () => {
    await using shop = await openTestShop();
    const { cup, rider } = await stocked(shop);
    const abroad = await shipTo(shop, ["DE"]);
    const withdrawn = await shipTo(shop, ["FR"], { active: false });
    const order = (rate_id: string) => () =>
      shop.post("/v2/orders", {
        line_items: [of(cup)],
        shipping_address: accra,
        shipping: { rate_id },
      });

    const answers = [await refused(shop, order(abroad)), await refused(shop, order(withdrawn))];

    const options = [{ id: rider, label: "Rider", amount: 5, amount_minor: 500 }];
    for (const one of answers) {
      expect([one.status, one.code, one.at("/options")]).toEqual([
        409,
        "shipping_unavailable",
        options,
      ]);
    }
  });

  test("that is shipped two ways, or none, is refused with the place", async () => {
    const { cup, rider } = stock;
    const order = (shipping: object) => () =>
      shop.post("/v2/orders", { line_items: [of(cup)], shipping });

    const two = await refused(
      shop,
      order({ rate_id: rider, pickup_location_id: noLocation, amount: 0 }),
    );
    const none = await refused(shop, order({}));
    const label = await refused(shop, order({ label: "Bus" }));

    expect(two.faults).toEqual([
      "#/shipping/pickup_location_id conflicting_fields",
      "#/shipping/amount conflicting_fields",
    ]);
    expect(none.faults).toEqual(["#/shipping/rate_id required"]);
    expect(label.faults).toEqual(["#/shipping/amount required"]);
  });

  test("that is short of stock uses no discount", async () => {
    const { cup } = stock;

    const answer = await refused(shop, () =>
      shop.post("/v2/orders", { line_items: [of(cup, 11)], discount_codes: ["SAVE10"] }),
    );

    expect([answer.status, answer.code]).toEqual([409, "insufficient_stock"]);
  });
});

describe("a change of an order", () => {
  test("cannot name what was agreed when it was placed", async () => {
    const { cup } = stock;
    const order = await place(shop, [of(cup)], { discount_codes: ["SAVE10"] });

    const answer = await refused(shop, () =>
      shop.put(`/v2/orders/${order.id}`, {
        discount_codes: [],
        discount: { title: "Regular", percent: 5 },
        tax_exemption: "exempt",
        tax_id: "C0012345678",
      }),
    );

    expect(answer.faults).toEqual([
      "#/discount_codes unknown_field",
      "#/discount unknown_field",
      "#/tax_exemption unknown_field",
      "#/tax_id unknown_field",
    ]);
  });

  test("with faults is refused with all of them, and its use stays", async () => {
    const { cup } = stock;
    const order = await place(shop, [of(cup)], { discount_codes: ["SAVE10"] });

    const answer = await refused(shop, () =>
      shop.put(`/v2/orders/${order.id}`, {
        line_items: [{ name: "Gift", unit_price: "1.001", quantity: 1 }],
        shipping: { label: "Bus", amount: "2.001" },
      }),
    );

    expect(answer.faults).toEqual([
      "#/shipping/amount amount_precision",
      "#/line_items/0/unit_price amount_precision",
    ]);
  });

  test("to an option that is not offered is refused with those that are", async () => {
    await using shop = await openTestShop();
    const { cup, rider } = await stocked(shop);
    const order = await place(shop, [of(cup)], { shipping_address: accra });

    const abroad = await shipTo(shop, ["DE"]);

    const answer = await refused(shop, () =>
      shop.put(`/v2/orders/${order.id}`, { shipping: { rate_id: abroad } }),
    );

    expect([answer.status, answer.code]).toEqual([409, "shipping_unavailable"]);
    expect(answer.at("/options/0/id")).toBe(rider);
  });

  test("to an option that the shop does not have is refused with the place", async () => {
    const { cup } = stock;
    const order = await place(shop, [of(cup)], { shipping_address: accra });

    const answer = await refused(shop, () =>
      shop.put(`/v2/orders/${order.id}`, { shipping: { rate_id: noRate } }),
    );

    expect([answer.status, answer.faults]).toEqual([
      422,
      ["#/shipping/rate_id unknown_shipping_rate"],
    ]);
  });

  test("keeps an option that was deleted since", async () => {
    await using shop = await openTestShop();
    const { cup, rider } = await stocked(shop);
    const terms = { shipping_address: accra, shipping: { rate_id: rider } };
    const order = await place(shop, [of(cup)], terms);
    must(await shop.delete(`/v2/shipping-rates/${rider}`), 204);

    const changed = await shop.put(`/v2/orders/${order.id}`, {
      shipping: terms.shipping,
      notes: "Ring twice.",
    });

    expect([changed.status, changed.at("/shipping/rate_id")]).toEqual([200, rider]);
  });
});

describe("a change of a cart", () => {
  test("with faults is refused with all of them", async () => {
    const { cup, rider } = stock;
    const cart = await basket(shop, [of(cup)], {
      discount_codes: ["SAVE10"],
      shipping_address: accra,
      shipping: { rate_id: rider },
    });

    const answer = await refused(shop, () =>
      shop.put(`/v2/carts/${cart.id}`, {
        line_items: [{ variant_id: noVariant, quantity: 1 }],
        discount_codes: ["NEVER"],
        shipping: { pickup_location_id: noLocation },
        customer: { email: "ada@example.com" },
        email: "kofi@example.com",
      }),
    );

    expect(answer.faults.toSorted()).toEqual([
      "#/customer conflicting_fields",
      "#/line_items/0/variant_id unknown_variant",
      "#/shipping/pickup_location_id unknown_pickup_location",
    ]);
  });

  test("to a rate that was withdrawn is refused", async () => {
    await using shop = await openTestShop();
    const { cup, rider } = await stocked(shop);
    must(await shop.put(`/v2/shipping-rates/${rider}`, { active: false }), 200);
    const cart = await basket(shop, [of(cup)]);

    const answer = await refused(shop, () =>
      shop.put(`/v2/carts/${cart.id}`, { shipping: { rate_id: rider } }),
    );

    expect(answer.faults).toEqual(["#/shipping/rate_id unknown_shipping_rate"]);
  });
});

describe("completing a cart", () => {
  test("whose option was deleted is refused with those that are left", async () => {
    await using shop = await openTestShop();
    const { cup, rider } = await stocked(shop);
    const left = await shipTo(shop, ["DE"]);
    const cart = await basket(shop, [of(cup)], {
      shipping_address: berlin,
      shipping: { rate_id: rider },
    });
    must(await shop.delete(`/v2/shipping-rates/${rider}`), 204);

    const answer = await refused(shop, () => complete(shop, cart));

    expect([answer.status, answer.code]).toEqual([409, "shipping_unavailable"]);
    expect(answer.at("/options/0/id")).toBe(left);
  });

  test("with a code whose discount was deleted is refused, and the cart stays", async () => {
    await using shop = await openTestShop();
    const { id, cup } = await stocked(shop);
    const cart = await basket(shop, [of(cup)], {
      discount_codes: ["SAVE10"],
      shipping_address: accra,
      shipping: { rate_id: (await shop.get("/v2/shipping-rates")).string("/data/0/id") },
    });
    must(await shop.delete(`/v2/discounts/${id}`), 204);

    const answer = await refused(shop, () => complete(shop, cart));

    expect(answer.code).toBe("discount_not_applicable");
    expect(reasonsOf(answer, "/codes")).toEqual(["SAVE10 unknown"]);
    expect(reasonsOf(await readCart(shop, cart))).toEqual(["SAVE10 unknown"]);
  });

  test("with a code that each customer may use once needs a contact", async () => {
    await using shop = await openTestShop();
    await discount(shop, { codes: ["ONCE"], per_customer_limit: 1 });
    const cart = await basket(shop, [of(await mug(shop))], {
      discount_codes: ["ONCE"],
      customer: { name: "Ada" },
    });

    const answer = await refused(shop, () => complete(shop, cart));

    expect(reasonsOf(answer, "/codes")).toEqual(["ONCE customer_required"]);
  });

  test("without a choice of shipping is refused, also with the right total", async () => {
    const { cup, rider } = stock;
    const cart = await basket(shop, [of(cup)], { shipping_address: accra });

    const answer = await refused(shop, () => complete(shop, cart, { expected_total: 100 }));

    expect([answer.status, answer.code]).toEqual([409, "shipping_required"]);
    expect(answer.at("/options")).toEqual([
      { id: rider, label: "Rider", amount: 5, amount_minor: 500 },
    ]);
  });

  test("to where nothing is shipped tells that no option is left", async () => {
    const { cup } = stock;
    const cart = await basket(shop, [of(cup)], { shipping_address: berlin });

    const answer = await refused(shop, () => complete(shop, cart));

    expect([answer.status, answer.code]).toEqual([409, "shipping_unavailable"]);
    expect(answer.body).toMatchObject({
      title: "The order cannot be shipped as requested.",
      options: [],
    });
  });
});

test("an option that costs nothing is chosen all the same", async () => {
  await using shop = await openTestShop();
  const free = await shipTo(shop, ["GH"], { tiers: [{ from: 0, amounts: usd(0) }] });
  const cart = await basket(shop, [of(await sold(shop, 100))], { shipping_address: accra });

  const none = await refused(shop, () => complete(shop, cart));
  must(await shop.put(`/v2/carts/${cart.id}`, { shipping: { rate_id: free } }), 200);
  const order = await complete(shop, cart);

  expect(none.at("/options/0/amount_minor")).toBe(0);
  expect([order.status, order.at("/shipping/rate_id")]).toEqual([201, free]);
});
