// The delivery of an abandoned cart: what the page behind its link offers, and that it charges what it showed.

import { beforeAll, describe, expect, test } from "bun:test";

import { change, readCart } from "../sales/carts/basket.ts";
import { place } from "../sales/orders/counter.ts";
import { berlin, discount, must, of, shipTo, sold, tax } from "../sales/pricing/priced-shop.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import {
  abandonedCup,
  delivering,
  type DeliveringShop,
  look,
  send,
  sumsOf,
} from "./delivery-shop.ts";

const pay = { method: "bank_transfer" };

const shared = sharedShop({ asks: "nothing" });
let ways: DeliveringShop;

beforeAll(async () => {
  ways = await delivering(shared);
});

/** The orders that came of these carts, newest first. */
async function ordersOf(
  shop: TestShop,
  ...carts: readonly Answered[]
): Promise<readonly unknown[]> {
  const ids = new Set(carts.map(({ id }) => id));
  const { body } = await shop.get("/v2/orders?limit=100");
  return Object(body).data.filter(({ cart_id }: { cart_id: string }) => ids.has(cart_id));
}

describe("a cart whose delivery is not chosen", () => {
  test("is offered every option with its price and its days, and no way to pay", async () => {
    const { url } = await abandonedCup(shared, ways);

    const page = await look(url);

    expect(page.status).toBe(200);
    expect(page.text).toContain("Total without delivery USD 20.00");
    expect(page.text).toContain("Delivery to Ghana, or collect it");
    expect(page.text).toContain("Rider\nUSD 5.00\n1 to 2 days");
    expect(page.text).toContain("Bus\nUSD 2.50");
    expect(page.text).toContain("Osu shop\nFree\nCollect it at 2 Oxford Street, Accra");
    expect(page.text).not.toContain("How do you want to pay?");
  });

  test("reads of the same-day rider how long it takes at most", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shipTo(shop, ["GH"], { min_days: 0, max_days: 1 });
    const { url } = await abandonedCup(shop, { cup: await sold(shop, 20) });

    expect((await look(url)).text).toContain("USD 5.00\nUp to 1 day\n");
  });

  test("is not ordered by a press that chooses none", async () => {
    const { cart, url } = await abandonedCup(shared, ways);

    const chosen = await send(url, { choose: "delivery" });
    const paid = await send(url, { ...pay, amount: "USD 20.00" });

    expect([chosen.status, paid.status]).toEqual([422, 422]);
    expect(chosen.text).toContain("Please choose how you want to get your order.");
    expect(paid.text).toContain("Please choose how you want to get your order.");
    expect((await readCart(shared, cart)).at("/status")).toBe("abandoned");
  });

  test("shows the new total once an option is chosen, and is ordered for exactly that", async () => {
    const { cart, url } = await abandonedCup(shared, ways);

    const chosen = await send(url, { choose: "delivery", shipping: ways.rider });
    const page = await look(url);
    const paid = await send(url, { ...pay, shipping: ways.rider, amount: "USD 25.00" });

    expect([chosen.status, chosen.location]).toEqual([303, url]);
    expect(sumsOf(page)).toEqual(["Subtotal USD 20.00", "Rider USD 5.00", "Total USD 25.00"]);
    expect([paid.status, paid.location]).toEqual([303, url]);
    const order = await shared.get(
      `/v2/orders/${(await readCart(shared, cart)).string("/order_id")}`,
    );
    expect(order.body).toMatchObject({ total: 25, shipping: { rate_id: ways.rider } });
  });

  test("remembers the choice when the page is opened later", async () => {
    const { cart, url } = await abandonedCup(shared, ways);

    await send(url, { choose: "delivery", shipping: ways.osu });
    const html = await (await fetch(url)).text();

    expect(html).toContain(`value="${ways.osu}" id="${ways.osu}" required checked`);
    expect((await readCart(shared, cart)).at("/status")).toBe("abandoned");
    expect(await ordersOf(shared, cart)).toEqual([]);
  });
});

describe("a customer who pays with another delivery than the one of the total", () => {
  test("sees the new total first, and pays it with the next press", async () => {
    const { cart, url } = await abandonedCup(shared, ways, { shipping: { rate_id: ways.rider } });

    const other = await send(url, { ...pay, shipping: ways.bus, amount: "USD 25.00" });
    const before = await ordersOf(shared, cart);
    const paid = await send(url, { ...pay, shipping: ways.bus, amount: "USD 22.50" });

    expect(other.status).toBe(409);
    expect(other.text).toContain(
      "delivery that you chose changes the total. Please check it, and continue.",
    );
    expect(sumsOf(other).at(-1)).toBe("Total USD 22.50");
    expect(before).toEqual([]);
    expect(paid.status).toBe(303);
    expect(await ordersOf(shared, cart)).toMatchObject([
      { total: 22.5, shipping: { rate_id: ways.bus } },
    ]);
  });

  test("pays at once where the total is the same", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const offered = await delivering(shop);
    const boat = await shop.post("/v2/pickup-locations", {
      name: "Boat",
      address: { line1: "Jetty 1", city: "Ada", country: "GH" },
    });
    const shipping = { pickup_location_id: offered.osu };
    const { cart, url } = await abandonedCup(shop, offered, { shipping });

    const paid = await send(url, { ...pay, shipping: boat.id, amount: "USD 20.00" });

    expect(paid.status).toBe(303);
    expect(await ordersOf(shop, cart)).toMatchObject([
      { shipping: { pickup_location_id: boat.id } },
    ]);
  });
});

describe("what a form must not say", () => {
  test("is an option of another country or of no shop", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const offered = await delivering(shop);
    const dhl = await shipTo(shop, ["DE"], { name: "DHL" });
    const { cart, url } = await abandonedCup(shop, offered, {
      shipping: { rate_id: offered.rider },
    });
    const words = [dhl, "shr_01jd2k8m3n4p5q6r7s8t9v0w1x", "<b>", ""];

    const answers = await Promise.all(
      words.flatMap((shipping) => [
        send(url, { choose: "delivery", shipping }),
        send(url, { ...pay, shipping, amount: "USD 25.00" }),
      ]),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 409));
    for (const { text } of answers) {
      expect(text).toContain("The delivery that was chosen is no longer offered.");
    }
    expect(await ordersOf(shop, cart)).toEqual([]);
  });

  test("is an amount that the page did not show", async () => {
    const { cart, url } = await abandonedCup(shared, ways, { shipping: { rate_id: ways.rider } });

    const cheap = await send(url, { ...pay, shipping: ways.rider, amount: "USD 1.00" });
    const other = await send(url, { ...pay, shipping: ways.bus, amount: "USD 1.00" });

    const none = await send(url, { ...pay, shipping: ways.rider });

    expect([cheap.status, other.status, none.status]).toEqual([409, 409, 409]);
    expect(cheap.text).toContain("The amount has changed since you opened this page.");
    expect(await ordersOf(shared, cart)).toEqual([]);
  });

  test("is a country that does not exist, or an address without a street", async () => {
    const { cart, url } = await abandonedCup(shared, ways);

    const nowhere = await send(url, { country: "ZZ", line1: "1", city: "Accra" });
    const blank = await send(url, { country: "GH", line1: " \t", city: "Accra" });

    expect([nowhere.status, blank.status]).toEqual([422, 422]);
    expect(nowhere.text).toContain("Please choose the country.");
    expect(blank.text).toContain("Please enter the street and the town.");
    expect((await readCart(shared, cart)).at("/version")).toBe(cart.at("/version"));
  });
});

describe("an option that is withdrawn", () => {
  test("is told with the options of now, and nothing is ordered", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const offered = await delivering(shop);
    const { cart, url } = await abandonedCup(shop, offered, {
      shipping: { rate_id: offered.rider },
    });
    must(await shop.put(`/v2/shipping-rates/${offered.rider}`, { active: false }), 200);

    const page = await look(url);
    const paid = await send(url, { ...pay, shipping: offered.rider, amount: "USD 25.00" });

    expect(page.text).toContain("The delivery that was chosen is no longer offered.");
    expect(page.text).not.toContain("Rider");
    expect([paid.status, paid.text.includes("Bus\nUSD 2.50")]).toEqual([409, true]);
    expect(paid.text.split("no longer offered")).toHaveLength(2);
    expect(await ordersOf(shop, cart)).toEqual([]);
  });
});

describe("a cart without an address", () => {
  test("asks where it is delivered to, and then offers the options of that country", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const offered = await delivering(shop);
    const dhl = await shipTo(shop, ["DE"], { name: "DHL" });
    const { cart, url } = await abandonedCup(shop, offered, { shipping_address: null });

    const asked = await look(url);
    const given = await send(url, { line1: " Torstr. 1 ", city: "Berlin", country: "DE" });
    const page = await look(url);

    expect(asked.text).toContain("Have it delivered");
    expect(asked.text).not.toContain("Rider");
    expect(asked.text).toContain("Osu shop\nFree");
    expect([given.status, given.location]).toEqual([303, url]);
    expect(page.text).toContain("Delivery to Germany, or collect it\nDHL\nUSD 5.00");
    const { body } = await readCart(shop, cart);
    expect(body).toMatchObject({
      shipping_address: { line1: "Torstr. 1", city: "Berlin", country: "DE", region: null },
      shipping_options: [{ id: dhl }, { id: offered.osu }],
    });
  });

  test("asks only for the country where the street is known", async () => {
    const known = { name: "Ada", line1: "1 High Street", city: "Accra" };
    const { cart, url } = await abandonedCup(shared, ways, { shipping_address: known });

    const asked = await (await fetch(url)).text();
    await send(url, { country: "GH" });

    expect(asked).not.toContain('name="line1"');
    expect((await readCart(shared, cart)).at("/shipping_address")).toMatchObject({
      ...known,
      country: "GH",
    });
    expect((await look(url)).text).toContain("Rider\nUSD 5.00");
  });

  test("may be collected without one", async () => {
    const { cart, url } = await abandonedCup(shared, ways, { shipping_address: null });

    await send(url, { choose: "delivery", shipping: ways.osu });
    const paid = await send(url, { ...pay, shipping: ways.osu, amount: "USD 20.00" });

    expect(paid.status).toBe(303);
    expect(await ordersOf(shared, cart)).toMatchObject([{ shipping: { label: "Osu shop" } }]);
  });
});

describe("a cart for a country that the shop does not deliver to", () => {
  test("says so and takes another address", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const offered = await delivering(shop);
    must(await shop.put(`/v2/pickup-locations/${offered.osu}`, { active: false }), 200);
    const { url } = await abandonedCup(shop, offered, { shipping_address: berlin });

    const page = await look(url);
    await send(url, { line1: "1 High Street", city: "Accra", country: "GH" });

    expect(page.text).toContain("The shop offers no delivery of this cart to Germany.");
    expect(page.text).not.toContain("Continue");
    expect((await look(url)).text).toContain("Delivery to Ghana\nRider");
  });

  test("says so no more once it is collected", async () => {
    const { url } = await abandonedCup(shared, ways, { shipping_address: berlin });

    const before = await look(url);
    await send(url, { choose: "delivery", shipping: ways.osu });
    const after = await look(url);

    expect(before.text).toContain("You can collect it, or give another address.");
    expect(after.text).not.toContain("offers no delivery");
    expect(sumsOf(after)).toEqual(["Subtotal USD 20.00", "Osu shop USD 0.00", "Total USD 20.00"]);
  });

  test("does not show the street of the customer", async () => {
    const { url } = await abandonedCup(shared, ways, { shipping_address: berlin });

    const html = await (await fetch(url)).text();

    expect(html).toContain("Germany");
    expect(html).not.toContain("Torstr");
    expect(html).not.toContain("10119");
  });
});

test("a cart with nothing to ship has no delivery to choose, also with an option of before", async () => {
  const { rider } = ways;
  const cup = await sold(shared, 20);
  const { cart, url } = await abandonedCup(shared, { cup }, { shipping: { rate_id: rider } });
  const path = `/v2/products/${cup.productId}/variants/${cup.variantId}`;
  must(await shared.put(path, { requires_shipping: false }), 200);

  const page = await look(url);
  const html = await (await fetch(url)).text();
  const paid = await send(url, { ...pay, shipping: rider, amount: "USD 20.00" });

  expect(html).not.toContain(`name="shipping"`);
  expect(page.text).toContain("How do you want to pay?");
  expect(paid.status).toBe(303);
  expect(await ordersOf(shared, cart)).toMatchObject([{ total: 20, shipping: null }]);
});

test("a charge that the merchant named is not the customer's to change", async () => {
  const { cart, url } = await abandonedCup(shared, ways);
  must(await change(shared, cart, { shipping: { label: "Van", amount: 9 } }), 200);

  const page = await look(url);
  await send(url, { choose: "delivery", shipping: ways.bus });
  await send(url, { ...pay, shipping: ways.bus, amount: "USD 29.00" });

  expect(sumsOf(page)).toEqual(["Subtotal USD 20.00", "Van USD 9.00", "Total USD 29.00"]);
  expect(page.text).not.toContain("Change the delivery");
  expect(await ordersOf(shared, cart)).toMatchObject([{ total: 29, shipping: { label: "Van" } }]);
});

describe("the bill", () => {
  test("lists discounts by title and code, the delivery and each tax on top of it", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const rates = [
      { name: "NHIL", rate: 2.5 },
      { name: "VAT", rate: 15 },
    ];
    await tax(shop, "GH", { rates });
    const offered = await delivering(shop);
    await discount(shop, { title: "Summer sale", codes: ["SAVE10"], stackable: true });
    await discount(shop, { title: "Half the way", target: "shipping", percent: 50 });
    const { url } = await abandonedCup(shop, offered, {
      shipping: { rate_id: offered.rider },
      discount_codes: ["SAVE10"],
    });
    const sums = [
      "Subtotal USD 20.00",
      "Summer sale (SAVE10) USD -2.00",
      "Rider USD 5.00",
      "Half the way USD -2.50",
      "NHIL 2.5 % USD 0.51",
      "VAT 15 % USD 3.08",
      "Total USD 24.09",
    ];

    const page = await look(url);
    const paid = await send(url, { method: "gateway", amount: "USD 24.09" });
    const gateway = await look(paid.location ?? "");
    const order = await look((await shop.get("/v2/orders")).string("/data/0/status_url"));

    expect(sumsOf(page)).toEqual(sums);
    expect(sumsOf(gateway)).toEqual(sums);
    expect(sumsOf(order)).toEqual(sums);
    expect(gateway.text).toContain("Pay USD 24.09");
  });

  test("leaves out a discount of which nothing is left after a change of the order", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await discount(shop, { title: "Two or more", minimum: { quantity: 2 } });
    const cup = await sold(shop, 20);
    const order = await place(shop, [of(cup, 2)], { shipping: { label: "Rider", amount: 5 } });
    must(await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup)] }), 200);

    const page = await look(order.string("/status_url"));

    expect(sumsOf(page)).toEqual(["Subtotal USD 20.00", "Rider USD 5.00", "Total USD 25.00"]);
  });

  test("names the taxes that the total contains below it", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 15 }], prices_include_tax: true });
    const offered = await delivering(shop);
    const { url } = await abandonedCup(shop, offered, { shipping: { rate_id: offered.rider } });
    const ending = "Total USD 25.00\nincludes VAT 15 %: USD 3.26";

    const page = await look(url);
    const paid = await send(url, { method: "gateway", amount: "USD 25.00" });
    const gateway = await look(paid.location ?? "");
    const order = await look((await shop.get("/v2/orders")).string("/data/0/status_url"));

    expect(page.text).toContain(ending);
    expect(gateway.text).toContain(ending);
    expect(order.text).toContain(ending);
  });

  test("of goods alone names the taxes that it contains, also at the simulated gateway", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 15 }], prices_include_tax: true });
    const { url } = await abandonedCup(shop, { cup: await sold(shop, 20) });

    const page = await look(url);
    const paid = await send(url, { method: "gateway", amount: "USD 20.00" });
    const gateway = await look(paid.location ?? "");

    expect(page.text).toContain("Total USD 20.00\nincludes VAT 15 %: USD 2.61");
    expect(gateway.text).toContain("Total USD 20.00\nincludes VAT 15 %: USD 2.61");
  });

  test("tells that a code which took something off does so no more", async () => {
    const id = await discount(shared, { codes: ["SAVE10"] });
    const { url } = await abandonedCup(shared, ways, {
      shipping: { rate_id: ways.rider },
      discount_codes: ["SAVE10"],
    });
    must(await shared.put(`/v2/discounts/${id}`, { archived: true }), 200);

    const page = await look(url);

    expect(page.text).toContain("The code SAVE10 does not apply any more.");
    expect(sumsOf(page).at(-1)).toBe("Total USD 25.00");
  });
});

test("a customer who used a code before sees the total without it, and can pay that", async () => {
  await discount(shared, { codes: ["ONCE"], per_customer_limit: 1 });
  const terms = { shipping: { rate_id: ways.rider }, discount_codes: ["ONCE"] };
  const first = await abandonedCup(shared, ways, terms);
  const second = await abandonedCup(shared, ways, terms);
  await send(first.url, { ...pay, amount: "USD 23.00" });

  const opened = await look(second.url);
  const refused = await send(second.url, { ...pay, amount: "USD 23.00" });
  const paid = await send(second.url, { ...pay, amount: "USD 25.00" });

  expect(sumsOf(opened).at(-1)).toBe("Total USD 23.00");
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("The code ONCE does not apply any more.");
  expect(sumsOf(refused).at(-1)).toBe("Total USD 25.00");
  expect(paid.status).toBe(303);
  expect(await ordersOf(shared, first.cart, second.cart)).toMatchObject([
    { total: 25 },
    { total: 23 },
  ]);
});

test("a discount that a customer used up is not in the total that they pay", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const offered = await delivering(shop);
  await discount(shop, { per_customer_limit: 1 });
  const terms = { shipping: { rate_id: offered.rider } };
  const [first, second] = [
    await abandonedCup(shop, offered, terms),
    await abandonedCup(shop, offered, terms),
  ];
  await send(first.url, { ...pay, amount: "USD 23.00" });

  const refused = await send(second.url, { ...pay, amount: "USD 23.00" });
  const paid = await send(second.url, { ...pay, amount: "USD 25.00" });

  expect([refused.status, paid.status]).toEqual([409, 303]);
  expect(sumsOf(refused)).toEqual(["Subtotal USD 20.00", "Rider USD 5.00", "Total USD 25.00"]);
  expect(await ordersOf(shop, first.cart, second.cart)).toMatchObject([
    { total: 25 },
    { total: 23 },
  ]);
});

test("two phones that choose different deliveries pay what the one that pays was shown", async () => {
  const { cart, url } = await abandonedCup(shared, ways);
  await send(url, { choose: "delivery", shipping: ways.rider });
  await send(url, { choose: "delivery", shipping: ways.bus });

  const paid = await send(url, { ...pay, shipping: ways.rider, amount: "USD 25.00" });

  expect(paid.status).toBe(303);
  expect(await ordersOf(shared, cart)).toMatchObject([
    { total: 25, shipping: { rate_id: ways.rider } },
  ]);
});
