// Orders that cannot be placed: each is refused with its code and a pointer to every fault, and
// writes neither a row nor an event.

import { beforeAll, describe, expect, test } from "bun:test";

import { adaMensah, type Goods, kanga, mug } from "../../support/cast.ts";
import { sharedShop } from "../../support/shop.ts";
import { of, place, standing, stock } from "../orders/counter.ts";

const shop = sharedShop();

const UNKNOWN_CUSTOMER = "cus_01h455vb4pex5vsknk084sn02q";
const UNKNOWN_VARIANT = "var_01h455vb4pex5vsknk084sn02q";

describe("an order is refused", () => {
  let cup: Goods;
  let draft: Goods;
  let archived: Goods;
  let abroad: Goods;
  let live: Goods;

  beforeAll(async () => {
    cup = await mug(shop);
    draft = await mug(shop, { status: "draft" });
    archived = await mug(shop, { status: "archived" });
    abroad = await mug(shop, { currency: "GHS" });
    const key = await shop.createKey({ mode: "live" });
    const made = await shop.post("/v2/products", { name: "Mug", price: 1, stock: 9 }, { key });
    live = { productId: made.id, variantId: made.string("/variants/0/id") };
  });

  /** The answer's status, code and faults; expects that the shop stays unchanged. */
  async function refusal(body: unknown): Promise<unknown[]> {
    const before = await standing(shop);
    const refused = await shop.post("/v2/orders", body);
    expect(await standing(shop)).toEqual(before);
    return [refused.status, refused.code, refused.faults];
  }

  const oneCup = () => ({ line_items: [of(cup)] });

  test("for an unknown variant", async () => {
    const refused = await refusal({
      line_items: [of(cup), { variant_id: UNKNOWN_VARIANT, quantity: 1 }],
    });

    expect(refused).toEqual([
      422,
      "validation_failed",
      ["#/line_items/1/variant_id unknown_variant"],
    ]);
  });

  test("for a variant of the other mode", async () => {
    const refused = await refusal({ line_items: [of(live)] });

    expect(refused).toEqual([
      422,
      "validation_failed",
      ["#/line_items/0/variant_id unknown_variant"],
    ]);
  });

  test("for drafts and archived products", async () => {
    const refused = await refusal({ line_items: [of(draft), of(cup), of(archived)] });

    expect(refused).toEqual([
      422,
      "variant_not_for_sale",
      [
        "#/line_items/0/variant_id variant_not_for_sale",
        "#/line_items/2/variant_id variant_not_for_sale",
      ],
    ]);
  });

  test("for a variant without a price in its currency", async () => {
    const refused = await refusal({ line_items: [of(cup), of(abroad)], currency: "GHS" });

    expect(refused).toEqual([422, "price_missing", ["#/line_items/0/variant_id price_missing"]]);
  });

  test("for all of its faults at once, under the most general code", async () => {
    const refused = await refusal({
      line_items: [of(abroad), of(draft), { variant_id: UNKNOWN_VARIANT, quantity: 1 }, of(cup)],
      customer_id: UNKNOWN_CUSTOMER,
      shipping: { amount: "1.005" },
    });

    expect(refused).toEqual([
      422,
      "validation_failed",
      [
        "#/line_items/0/variant_id price_missing",
        "#/line_items/1/variant_id variant_not_for_sale",
        "#/line_items/2/variant_id unknown_variant",
        "#/shipping/amount amount_precision",
        "#/customer_id unknown_customer",
      ],
    ]);
  });

  test("with variant_not_for_sale if a price is missing too", async () => {
    const refused = await refusal({ line_items: [of(abroad), of(draft)] });

    expect(refused.slice(0, 2)).toEqual([422, "variant_not_for_sale"]);
  });

  test.each([
    [0, "too_small"],
    [-1, "too_small"],
    [1.5, "wrong_type"],
    ["2", "wrong_type"],
    [null, "wrong_type"],
    [1e9, "too_large"],
    [1e300, "number_precision"],
  ])("for a quantity of %p", async (quantity, code) => {
    const refused = await refusal({ line_items: [{ ...of(cup), quantity }] });

    expect(refused).toEqual([422, "validation_failed", [`#/line_items/0/quantity ${code}`]]);
  });

  test("for 101 lines", async () => {
    const refused = await refusal({ line_items: Array.from({ length: 101 }, () => of(cup)) });

    expect(refused).toEqual([422, "validation_failed", ["#/line_items too_many"]]);
  });

  test("for no lines", async () => {
    expect(await refusal({ line_items: [] })).toEqual([
      422,
      "validation_failed",
      ["#/line_items too_few"],
    ]);
    expect(await refusal({})).toEqual([422, "validation_failed", ["#/line_items required"]]);
  });

  test.each<[string, object, string]>([
    ["a computed field", { total: 1 }, "#/total unknown_field"],
    ["a channel with a space", { channel: "market day" }, "#/channel invalid_format"],
    ["a channel with a capital", { channel: "Pos" }, "#/channel invalid_format"],
    ["a channel of 41 letters", { channel: "a".repeat(41) }, "#/channel too_long"],
    ["a currency that ISO 4217 does not list", { currency: "XXX" }, "#/currency invalid_choice"],
    ["an unknown payment method", { payment_method: "cheque" }, "#/payment_method invalid_choice"],
    ["a customer without contact", { customer: { name: "Kofi" } }, "#/customer/email required"],
    ["half an email", { customer: { email: "kofi@" } }, "#/customer/email invalid_format"],
    ["an invalid customer id", { customer_id: "ada" }, "#/customer_id invalid_format"],
    ["an unknown customer", { customer_id: UNKNOWN_CUSTOMER }, "#/customer_id unknown_customer"],
    ["an empty external id", { external_id: "" }, "#/external_id too_short"],
    ["notes that are too long", { notes: "n".repeat(5001) }, "#/notes too_long"],
    ["a country by name", { shipping_address: { country: "Ghana" } }, "#/shipping_address/country"],
    [
      "a code that is no country's",
      { shipping_address: { country: "UK" } },
      "#/shipping_address/country invalid_choice",
    ],
    ["half a cent", { shipping: { amount: 0.005 } }, "#/shipping/amount amount_precision"],
    ["a negative amount", { shipping: { amount: "-1" } }, "#/shipping/amount"],
    [
      "too large an amount",
      { shipping: { amount: 400_000_000_001 } },
      "#/shipping/amount amount_too_large",
    ],
  ])("for %s", async (_, terms, fault) => {
    const [status, code, faults] = await refusal({ ...oneCup(), ...terms });

    expect([status, code]).toEqual([422, "validation_failed"]);
    expect(String(faults)).toStartWith(fault);
  });

  test("for a misspelled field, with the field that was meant", async () => {
    const refused = await shop.post("/v2/orders", { ...oneCup(), note: "Thanks" });

    expect(refused.at("/errors/0")).toMatchObject({ pointer: "#/note", code: "unknown_field" });
    expect(refused.string("/errors/0/detail")).toContain("notes");
  });

  test("for decimals in a currency without any", async () => {
    const beans = await mug(shop, { sku: "BEANS", currency: "UGX", price: 9000 });

    const refused = await refusal({
      line_items: [of(beans)],
      currency: "UGX",
      shipping: { amount: 0.5 },
    });

    expect(refused).toEqual([422, "validation_failed", ["#/shipping/amount amount_precision"]]);
  });

  test("for a customer given twice", async () => {
    const { id, email } = await adaMensah(shop);

    const refused = await refusal({ ...oneCup(), customer_id: id, customer: { email } });

    expect(refused).toEqual([422, "validation_failed", ["#/customer conflicting_fields"]]);
  });

  test("for a line above the largest amount", async () => {
    const palace = await mug(shop, { sku: "PALACE", price: 400_000_000_000, stock: 10 });

    const refused = await refusal({ line_items: [of(cup), of(palace, 2)] });

    expect(refused).toEqual([
      422,
      "validation_failed",
      ["#/line_items/1/quantity amount_too_large"],
    ]);
  });

  test("for the external id of another order, which is named", async () => {
    const placed = await place(shop, [of(cup)], { external_id: "till-1" });
    const before = await standing(shop);

    const refused = await shop.post("/v2/orders", { ...oneCup(), external_id: "till-1" });

    expect([refused.status, refused.code]).toEqual([409, "external_id_taken"]);
    expect(refused.at("/existing_id")).toBe(placed.id);
    expect(await standing(shop)).toEqual(before);
  });

  test.each([
    ["that is cut off", '{"line_items": [', 400],
    ["with a key twice", '{"line_items": [], "line_items": []}', 400],
    ["with a prototype", '{"line_items": [], "__proto__": {}}', 400],
    ["that is a list", "[]", 422],
    [
      "with too many digits",
      '{"line_items": [], "shipping": {"amount": 1.00000000000000000001}}',
      422,
    ],
  ])("for a body %s", async (_, text, status) => {
    const before = await standing(shop);

    const refused = await shop.send("POST", "/v2/orders", { text });

    expect(refused.status).toBe(status);
    expect(await standing(shop)).toEqual(before);
  });
});

describe("an order beyond the stock", () => {
  test("is refused with every short line and its available units", async () => {
    const cup = await mug(shop, { stock: 3 });
    const cloth = await kanga(shop, { stock: 0 });
    const bowl = await mug(shop, { stock: 9 });
    const before = await standing(shop);

    const refused = await shop.post("/v2/orders", {
      line_items: [of(cup, 4), of(bowl, 9), of(cloth, 1)],
      customer: { email: "kofi@example.com" },
    });

    expect([refused.status, refused.code]).toEqual([409, "insufficient_stock"]);
    expect(refused.at("/items")).toEqual([
      { variant_id: cup.variantId, requested: 4, available: 3 },
      { variant_id: cloth.variantId, requested: 1, available: 0 },
    ]);
    expect(await standing(shop)).toEqual(before);
  });

  test("is refused for the sum of the lines of a variant", async () => {
    const cup = await mug(shop, { stock: 3 });

    const refused = await shop.post("/v2/orders", { line_items: [of(cup, 2), of(cup, 2)] });

    expect(refused.at("/items")).toEqual([
      { variant_id: cup.variantId, requested: 4, available: 3 },
    ]);
  });

  test("is refused for units that other orders reserve", async () => {
    const cup = await mug(shop, { stock: 3 });
    await place(shop, [of(cup, 2)]);

    const refused = await shop.post("/v2/orders", { line_items: [of(cup, 2)] });

    expect(refused.at("/items")).toEqual([
      { variant_id: cup.variantId, requested: 2, available: 1 },
    ]);
  });

  test("may take every unit that is left", async () => {
    const cup = await mug(shop, { stock: 3 });

    await place(shop, [of(cup, 1), of(cup, 2)]);

    expect(await stock(shop, cup)).toEqual([3, 3, 0]);
  });

  test("is placed if backorders are allowed, and availability becomes negative", async () => {
    const cup = await mug(shop, { stock: 3 });
    await shop.put(`/v2/inventory/${cup.variantId}`, { backorder: "allow" });

    await place(shop, [of(cup, 5)]);

    expect(await stock(shop, cup)).toEqual([3, 5, -2]);
  });

  test("is placed if stock is not tracked", async () => {
    const cup = await mug(shop, { stock: 0 });
    await shop.put(`/v2/inventory/${cup.variantId}`, { tracked: false });

    await place(shop, [of(cup, 5)]);

    expect(await stock(shop, cup)).toEqual([0, 5, null]);
  });
});

describe("an order with an expected total", () => {
  test("is refused if lines and shipping come to another total", async () => {
    const terms = { line_items: [of(await mug(shop), 2)], shipping: { amount: 3 } };
    const before = await standing(shop);

    const refused = await shop.post("/v2/orders", { ...terms, expected_total: 25 });

    expect([refused.status, refused.code, refused.at("/total_minor")]).toEqual([
      409,
      "total_changed",
      2800,
    ]);
    expect(await standing(shop)).toEqual(before);
  });

  test("is refused if the expected total has too many digits", async () => {
    const terms = { line_items: [of(await mug(shop), 2)], currency: "USD" };

    const refused = await shop.post("/v2/orders", { ...terms, expected_total: 25.001 });

    expect(refused.faults).toEqual(["#/expected_total amount_precision"]);
  });
});
