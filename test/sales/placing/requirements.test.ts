// What a customer must say before an order, by the store's `checkout`: the rule, and who is bound by it.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { Address } from "#kernel/address.ts";
import { missingIn, type Said } from "#sales/rows/requirements.ts";
import {
  addressRules,
  checkoutOf,
  type CheckoutRules,
  contactRules,
} from "#shop/store/checkout.ts";

import { as, tokenOf } from "../../accounts/sign-in.ts";
import { mug } from "../../support/cast.ts";
import { seedOfRun } from "../../support/runs.ts";
import { type Answered, sharedShop } from "../../support/shop.ts";
import { basket, complete, readCart } from "../carts/basket.ts";
import { of, stock } from "../orders/counter.ts";

const accra = { line1: "12 Ring Road", city: "Accra", country: "GH" };
const ama = { email: "ama@shop.test", name: "Ama Owusu" };

const nowhere: Address = {
  name: null,
  line1: null,
  line2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
  phone: null,
};
const wholeAddress = { ...nowhere, ...accra };

const nothing: Said = {
  contact: { email: null, phone: null, name: null },
  shippingAddress: null,
  billingAddress: null,
  isShipped: true,
  country: null,
};
function missingOf(checkout: CheckoutRules, { isShipped, country, ...written }: Said) {
  const lines = [{ requiresShipping: isShipped, quantity: 1 }];
  return missingIn({ checkout, country }, { ...written, record: null, lines, quote: null });
}
const problems = (rules: CheckoutRules, said: Said) =>
  missingOf(rules, said).map(({ problem }) => problem);
const byDefault = checkoutOf({ checkout: {} });

describe("an order lacks", () => {
  test("a contact, an address and a name, unless the customer says them", () => {
    expect(problems(byDefault, nothing)).toEqual([
      "contact_required",
      "address_required",
      "name_required",
    ]);
    const contact = { email: null, phone: "+233551234987", name: "Ama" };
    expect(problems(byDefault, { ...nothing, contact, shippingAddress: wholeAddress })).toEqual([]);
  });

  test("the fields of an address by their pointers; its country may be the store's", () => {
    const rules = { contact: "none", address: "shipped", name: false } as const;
    const shippingAddress = { ...nowhere, line1: "12 Ring Road" };

    expect(missingOf(rules, { ...nothing, shippingAddress })).toEqual([
      {
        problem: "address_required",
        fields: ["/shipping_address/city", "/shipping_address/country"],
      },
    ]);
    expect(missingOf(rules, { ...nothing, shippingAddress, country: "GH" })).toEqual([
      { problem: "address_required", fields: ["/shipping_address/city"] },
    ]);
  });

  test("no shipping address where nothing is shipped and the billing address is complete", () => {
    const rules = { contact: "none", address: "always", name: false } as const;
    const said = { ...nothing, isShipped: false };

    expect(problems(rules, said)).toEqual(["address_required"]);
    expect(problems(rules, { ...said, billingAddress: wholeAddress })).toEqual([]);
    expect(problems(rules, { ...said, isShipped: true, billingAddress: wholeAddress })).toEqual([
      "address_required",
    ]);
    expect(problems({ ...rules, address: "shipped" }, said)).toEqual([]);
  });

  test("no name that stands in the shipping address", () => {
    const shippingAddress = { ...wholeAddress, name: "Ama" };
    const contact = { ...nothing.contact, email: "ama@shop.test" };

    expect(problems(byDefault, { ...nothing, contact, shippingAddress })).toEqual([]);
  });

  test("less, never more, the more is said", () => {
    const text = fc.option(fc.constant("x"));
    const address = fc.option(
      fc
        .record({ name: text, line1: text, city: text, country: text })
        .map((parts) => ({ ...nowhere, ...parts })),
    );
    const said = fc.record({
      contact: fc.record({ email: text, phone: text, name: text }),
      shippingAddress: address,
      billingAddress: address,
      isShipped: fc.boolean(),
      country: text,
    });
    const rules = fc.record({
      contact: fc.constantFrom(...contactRules),
      address: fc.constantFrom(...addressRules),
      name: fc.boolean(),
    });
    fc.assert(
      fc.property(rules, said, (rule, one) => {
        const before = problems(rule, one);
        const full = {
          ...one,
          contact: { email: "x", phone: "x", name: "x" },
          shippingAddress: wholeAddress,
        };
        expect(problems(rule, full)).toEqual([]);
        expect(problems(rule, { ...one, contact: full.contact }).length).toBeLessThanOrEqual(
          before.length,
        );
        expect(problems({ contact: "none", address: "never", name: false }, one)).toEqual([]);
      }),
      { seed: seedOfRun(), numRuns: 500 },
    );
  });
});

const shop = sharedShop();
const publicKey = () => shop.createKey({ scopes: ["storefront"] });

describe("who is not the merchant", () => {
  test("places no order of a courier's goods without a contact, an address and a name, and no stock is held", async () => {
    const [goods, key] = [await mug(shop), await publicKey()];

    const refused = await shop.post("/v2/orders", { line_items: [of(goods)] }, { key });

    expect([refused.status, refused.code]).toEqual([409, "checkout_incomplete"]);
    expect(refused.body).toMatchObject({
      problems: ["contact_required", "address_required", "name_required"],
      missing: [
        "/customer/email",
        "/customer/phone",
        "/shipping_address/line1",
        "/shipping_address/city",
        "/shipping_address/country",
        "/customer/name",
      ],
      options: [],
    });
    expect(await stock(shop, goods)).toEqual([10, 0, 10]);
  });

  test("places it with what the cart says is missing", async () => {
    const [goods, key] = [await mug(shop), await publicKey()];
    const cart = await shop.post("/v2/carts", { line_items: [of(goods)] }, { key });
    const lacks = cart.list("/problems");

    const early = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });
    const given = { customer: ama, shipping_address: accra };
    const changed = await shop.put(`/v2/carts/${cart.id}`, given, { key });
    const placed = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });

    expect(lacks).toEqual(["contact_required", "address_required", "name_required"]);
    expect(early.list("/problems")).toEqual(lacks);
    expect(changed.list("/problems")).toEqual([]);
    expect(placed.status).toBe(201);
  });

  test("is a secret key without orders:write, too", async () => {
    const goods = await mug(shop);
    const key = await shop.createKey({ scopes: ["orders:create"] });

    const refused = await shop.post("/v2/orders", { line_items: [of(goods)] }, { key });

    expect(refused.code).toBe("checkout_incomplete");
  });

  test("needs no contact and no name while signed in, and does not borrow those of a typed email", async () => {
    const [goods, key] = [await mug(shop), await publicKey()];
    const known = { email: `ada${shop.nextNumber()}@example.com`, name: "Ada Mensah" };
    await shop.post("/v2/customers", known);
    const order = { line_items: [of(goods)], shipping_address: accra };

    const typed = await shop.post(
      "/v2/orders",
      { ...order, customer: { email: known.email } },
      { key },
    );
    const { headers } = as(await tokenOf(shop, { email: known.email }));
    const signedIn = await shop.post("/v2/orders", order, { key, headers });

    expect(typed.list("/problems")).toEqual(["name_required"]);
    expect(signedIn.status).toBe(201);
  });
});

test("the merchant's orders and carts are never refused for what they lack", async () => {
  const goods = await mug(shop);
  const cart = await basket(shop, [of(goods)]);

  const order = await shop.post("/v2/orders", { line_items: [of(goods)] });
  const completed = await complete(shop, cart);

  expect(cart.list("/problems")).toHaveLength(3);
  expect([order.status, completed.status]).toEqual([201, 201]);
  expect((await readCart(shop, cart)).list("/problems")).toEqual([]);
});

test("an empty cart lacks nothing", async () => {
  const cart = await basket(shop, []);

  expect(cart.list("/problems")).toEqual([]);
});

describe("for every key and whatever is said, an order and a cart are refused as the rule says", () => {
  const contents: readonly Content[] = [
    {},
    { customer: { email: ama.email } },
    { customer: { phone: "+233551234987", name: "Ama" } },
    { shipping_address: accra },
    { customer: ama, shipping_address: { ...accra, city: null } },
    { customer: ama, shipping_address: accra },
    { customer: { email: ama.email }, shipping_address: { ...accra, name: "Ama" } },
    { customer: ama, isDownload: true },
    { customer: ama, billing_address: accra, isDownload: true },
  ];
  const rulesOfAddresses = contactRules.flatMap((contact) =>
    addressRules.map((address) => ({ contact, address })),
  );

  test.each(rulesOfAddresses)(
    "where the contact is $contact, the address $address",
    async (two) => {
      const parcel = await mug(shop, { stock: 10_000 });
      const download = await mug(shop, { stock: 10_000 });
      const path = `/v2/products/${download.productId}/variants/${download.variantId}`;
      await shop.put(path, { requires_shipping: false });
      const customers = [
        await publicKey(),
        await shop.createKey({ scopes: ["orders:create", "carts:use"] }),
      ];
      const full = await shop.createKey({ scopes: ["full"] });
      for (const name of [true, false]) {
        const rules = { ...two, name };
        await shop.put("/v2/store", { checkout: rules });
        await Promise.all(
          contents.map(async ({ isDownload = false, ...content }) => {
            const expected = problems(rules, saidIn({ isDownload, ...content }));
            const body = { line_items: [of(isDownload ? download : parcel)], ...content };
            for (const key of [...customers, full]) {
              const cart = await shop.post("/v2/carts", body, { key });
              expect(cart.list("/problems")).toEqual(expected);
              const refused = key === full ? [] : expected;
              const completed = shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });
              expect(await told(completed)).toEqual(refused);
              expect(await told(shop.post("/v2/orders", body, { key }))).toEqual(refused);
            }
          }),
        );
      }
      await shop.put("/v2/store", { checkout: { contact: null, address: null, name: null } });
    },
  );
});

/** The problems of a refusal; none of an order. */
async function told(answer: Promise<Answered>): Promise<readonly unknown[]> {
  const answered = await answer;
  if (answered.status === 201) return [];
  expect([answered.status, answered.code]).toEqual([409, "checkout_incomplete"]);
  return answered.list("/problems");
}

type Part = "line1" | "city" | "country" | "name";
type SomeAddress = { readonly [P in Part]?: string | null };

interface Content {
  readonly customer?: { readonly email?: string; readonly phone?: string; readonly name?: string };
  readonly shipping_address?: SomeAddress;
  readonly billing_address?: SomeAddress;
  /** True if nothing of it is shipped. */
  readonly isDownload?: boolean;
}

function saidIn({ customer = {}, isDownload = false, ...addresses }: Content): Said {
  const { email = null, phone = null, name = null } = customer;
  const whole = (address: SomeAddress | undefined) =>
    address === undefined ? null : { ...nowhere, ...address };
  return {
    ...nothing,
    contact: { email, phone, name },
    shippingAddress: whole(addresses.shipping_address),
    billingAddress: whole(addresses.billing_address),
    isShipped: !isDownload,
  };
}

describe("the rules of a store", () => {
  test("are given one by one, and null restores the default of one", async () => {
    const changed = await shop.put("/v2/store", { checkout: { contact: "phone", name: false } });
    const restored = await shop.put("/v2/store", { checkout: { contact: null } });
    await shop.put("/v2/store", { checkout: { name: null } });

    expect(changed.at("/checkout")).toEqual({ contact: "phone", address: "shipped", name: false });
    expect(restored.at("/checkout")).toEqual({
      contact: "either",
      address: "shipped",
      name: false,
    });
  });

  test("are words that it knows", async () => {
    const refused = await shop.put("/v2/store", { checkout: { contact: "fax", address: 1 } });

    expect(refused.status).toBe(422);
    expect(refused.faults).toEqual([
      "#/checkout/contact invalid_choice",
      "#/checkout/address wrong_type",
    ]);
  });
});
