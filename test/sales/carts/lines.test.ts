// Lines of a cart as resources: units are added, changed and removed without naming the other lines.

import { beforeAll, describe, expect, test } from "bun:test";

import { eq, sql } from "drizzle-orm";

import { preparedWrite } from "#platform/database/prepared.ts";
import { carts } from "#sales/rows/tables.ts";

import { as, tokenOf } from "../../accounts/sign-in.ts";
import { atOnce, statuses } from "../../support/at-once.ts";
import { kanga, mug } from "../../support/cast.ts";
import {
  type Answered,
  openTestShop,
  type RequestOptions,
  sharedShop,
} from "../../support/shop.ts";
import { of, place, reread } from "../orders/counter.ts";
import { basket, change, checkout, complete, readCart } from "./basket.ts";

const shop = sharedShop({ asks: "nothing" });
let web: RequestOptions;
beforeAll(async () => {
  web = { key: await shop.createKey({ scopes: ["storefront"] }) };
});

function add(cart: Answered, body: object, options?: RequestOptions): Promise<Answered> {
  return shop.post(`/v2/carts/${cart.id}/lines`, body, options);
}

interface ChosenLine {
  readonly body?: object;
  readonly options?: RequestOptions;
}

function put(cart: Answered, id: unknown, { body = {}, options }: ChosenLine): Promise<Answered> {
  return shop.put(`/v2/carts/${cart.id}/lines/${String(id)}`, body, options);
}

function remove(cart: Answered, id: unknown): Promise<Answered> {
  return shop.delete(`/v2/carts/${cart.id}/lines/${String(id)}`);
}

/** Id, quantity and metadata of each line. */
function linesOf(cart: Answered): [string, number, unknown][] {
  return cart.list("/line_items").map((_, at) => {
    const line = `/line_items/${at}`;
    return [
      cart.string(`${line}/id`),
      cart.number(`${line}/quantity`),
      cart.at(`${line}/metadata`),
    ];
  });
}

const idsOf = (cart: Answered) => linesOf(cart).map(([id]) => id);
const faultsOf = (answer: Answered) =>
  answer.list("/errors").map((one) => [String(Object(one).pointer).slice(1), Object(one).code]);

/** Writes lines as versions before 0.2.0 did. */
const storeLines = preparedWrite<{ id: string; lines: readonly object[] }>()((tx, at) =>
  tx
    .update(carts)
    .set({ lines: sql`${sql.param(at.lines, carts.lines)}` })
    .where(eq(carts.id, at.id)),
);

const gift = { public_note: "For Ada" };
const UNKNOWN_LINE = "cl_01h455vb4pex5vsknk084sn02q";

describe("adding to a cart", () => {
  test("makes a line, and more of the variant joins it", async () => {
    const cup = await mug(shop);
    const cart = await basket(shop, []);

    const first = await add(cart, { variant_id: cup.variantId });
    const second = await add(cart, { variant_id: cup.variantId, quantity: 2 });

    expect([first.status, second.status]).toEqual([201, 200]);
    expect(first.headers.get("location")).toBe(`/v2/carts/${cart.id}`);
    expect(linesOf(second)).toEqual([[idsOf(first)[0] ?? "", 3, {}]]);
    expect(second.body).toEqual((await readCart(shop, cart)).body);
  });

  test("keeps units apart that are described otherwise", async () => {
    const { variantId: variant_id } = await mug(shop);
    const cart = await basket(shop, []);
    const [one, other] = [
      { a: 1, b: [2] },
      { b: [2], a: 1 },
    ];

    await add(cart, { variant_id });
    await add(cart, { variant_id, metadata: one });
    const joined = await add(cart, { variant_id, metadata: other });

    expect(joined.status).toBe(200);
    expect(linesOf(joined).map(([, ...rest]) => rest)).toEqual([
      [1, {}],
      [2, one],
    ]);
  });

  test("counts every addition of several tabs at once", async () => {
    const cup = await mug(shop);
    const cart = await basket(shop, []);

    const answers = await atOnce(16, (tab) =>
      add(cart, { variant_id: cup.variantId, quantity: tab + 1 }),
    );

    expect(statuses(answers)).toEqual([...Array(15).fill(200), 201]);
    expect(linesOf(await readCart(shop, cart)).map(([, quantity]) => quantity)).toEqual([136]);
  });

  test("meets the completion: the units are in the order, or are refused", async () => {
    const cup = await mug(shop, { stock: 1000 });
    const kept = await atOnce(8, async () => {
      const cart = await basket(shop, [of(cup)]);
      const [added, placed] = await Promise.all([
        add(cart, { variant_id: cup.variantId }),
        complete(shop, cart),
      ]);
      const { code } = Object(added.body);
      return [added.status, placed.at("/line_items/0/quantity"), code];
    });

    expect(kept.map(([status, units, code]) => `${status} ${units} ${code}`)).toEqual(
      kept.map(([status]) => (status === 200 ? "200 2 undefined" : "409 1 cart_completed")),
    );
  });

  test("judges what is added alone: a line that has left the catalog stops none", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await basket(shop, [of(cup)]);
    await shop.put(`/v2/products/${cup.productId}`, { status: "archived" });

    const added = await add(cart, { variant_id: cloth.variantId });
    const gone = await add(cart, { variant_id: cup.variantId });

    expect(added.status).toBe(201);
    expect([gone.code, ...faultsOf(gone)]).toEqual([
      "variant_not_for_sale",
      ["/variant_id", "variant_not_for_sale"],
    ]);
  });

  test("is refused for a line too many, for too many units, and where the cart is completed", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const full = await basket(shop, Array(100).fill(of(cup)));
    const heavy = await basket(shop, [of(cup, 1_000_000)]);
    const bought = await basket(shop, [of(cup)]);
    await complete(shop, bought);
    const variant_id = cup.variantId;

    expect(faultsOf(await add(full, { variant_id: cloth.variantId }))).toEqual([
      ["/variant_id", "too_many"],
    ]);
    expect((await add(full, { variant_id })).status).toBe(200);
    expect(faultsOf(await add(heavy, { variant_id }))).toEqual([["/quantity", "too_large"]]);
    expect(faultsOf(await add(heavy, { variant_id, quantity: 0 }))).toEqual([
      ["/quantity", "too_small"],
    ]);
    expect((await add(bought, { variant_id })).body).toMatchObject({ code: "cart_completed" });
  });

  test("bounds what describes a line", async () => {
    const { variantId: variant_id } = await mug(shop);
    const cart = await basket(shop, []);
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`name${at}`, at]));
    const long = Object.fromEntries(["a", "b", "c"].map((name) => [name, "x".repeat(400)]));

    const refused = [
      await add(cart, { variant_id, metadata: many }),
      await add(cart, { variant_id, metadata: long }),
      await add(cart, { variant_id, metadata: { card: "4242 4242 4242 4242" } }),
      await add(cart, { variant_id, metadata: { gift: true } }, web),
    ];

    expect(refused.map(faultsOf)).toEqual([
      [["/metadata", "too_many"]],
      [["/metadata", "too_large"]],
      [["/metadata/card", "looks_like_a_card"]],
      [["/metadata/gift", "not_allowed_for_public_key"]],
    ]);
  });

  test("takes a guest's cart for the customer who is signed in", async () => {
    const { variantId: variant_id } = await mug(shop);
    const email = `lines${shop.nextNumber()}@example.com`;
    const made = await shop.post("/v2/customers", { email, name: "Ada" });
    const token = await tokenOf(shop, { email });
    const cart = await shop.post("/v2/carts", {}, web);

    await add(cart, { variant_id }, { ...web, ...as(token), key: web.key ?? null });

    expect((await readCart(shop, cart)).at("/customer_id")).toBe(made.id);
  });
});

describe("a line of a cart", () => {
  test("is changed and removed by its id, and the last one leaves an empty cart", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await basket(shop, [of(cup), of(cloth)]);
    await checkout(shop, cart);
    const [first, second] = idsOf(cart);

    const changed = await put(cart, first, { body: { quantity: 3, metadata: gift } });
    const one = await remove(cart, first);
    const none = await remove(cart, second);

    expect(linesOf(changed)[0]).toEqual([first ?? "", 3, gift]);
    expect(idsOf(one)).toEqual([second ?? ""]);
    expect(one.at("/status")).toBe("checkout");
    expect(none.body).toMatchObject({ status: "active", line_items: [], total: 0 });
    expect((await remove(cart, second)).body).toMatchObject({ code: "cart_line_not_found" });
    expect((await put(cart, UNKNOWN_LINE, {})).status).toBe(404);
  });

  test("shows the variant and its picture, also once the cart is completed", async () => {
    const [own, first] = ["own", "first"].map((name) => `https://pictures.example/${name}.png`);
    const name = `Tee ${shop.nextNumber()}`;
    const product = await shop.post("/v2/products", {
      name,
      images: [{ url: first, alt: "A tee" }],
      options: [{ name: "Size", values: ["M", "L"] }],
      variants: [
        { options: { Size: "M" }, prices: [{ amount: 9 }], image: { url: own, alt: "M" } },
        { options: { Size: "L" }, prices: [{ amount: 9 }] },
      ],
    });
    const ids = [0, 1].map((at) => product.string(`/variants/${at}/id`));
    const cart = await basket(
      shop,
      ids.map((variant_id) => ({ variant_id, quantity: 1 })),
    );
    await complete(shop, cart);

    const shown = (await readCart(shop, cart)).list("/line_items");

    expect(cart.list("/line_items")).toMatchObject(
      ["M", "L"].map((size) => ({
        product_slug: product.at("/slug"),
        variant_title: size,
        options: { Size: size },
        image: { url: size === "M" ? own : first },
      })),
    );
    expect(shown.map((line) => Object(line).image.url)).toEqual([own, first]);
  });

  test("is a line of the order, whose metadata stay where a list does not name them", async () => {
    const [{ variantId: variant_id }, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await basket(shop, [of(cloth), { variant_id, quantity: 1, metadata: gift }]);
    await add(cart, { variant_id });

    const order = await complete(shop, cart);
    const line_items = [
      { variant_id, quantity: 3, metadata: gift },
      { variant_id, quantity: 2 },
    ];
    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items });
    const kept = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [{ variant_id, quantity: 4 }],
    });
    const single = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [{ variant_id, quantity: 4, metadata: gift }],
    });
    const still = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [{ variant_id, quantity: 5 }],
    });

    const [, described, bare] = linesOf(order).map(([id]) => id);
    expect(linesOf(order).map(([, , metadata]) => metadata)).toEqual([{}, gift, {}]);
    expect(linesOf(changed)).toEqual([
      [described ?? "", 3, gift],
      [bare ?? "", 2, {}],
    ]);
    expect(linesOf(kept)).toEqual([[bare ?? "", 4, {}]]);
    expect(linesOf(single).map(([, , metadata]) => metadata)).toEqual([gift]);
    expect(linesOf(still)).toEqual([[linesOf(single)[0]?.[0] ?? "", 5, gift]]);
  });

  test("stays in the order under its id, with other metadata or another name", async () => {
    const [{ variantId: variant_id }, cloth] = [await mug(shop), await kanga(shop)];
    const own = { name: "Repair", unit_price: 4, quantity: 1 };
    const order = await place(shop, [
      { variant_id, quantity: 1, metadata: gift },
      { variant_id, quantity: 2 },
      own,
      of(cloth),
    ]);
    const [described, bare, repair] = idsOf(order);

    const changed = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [
        { ...own, id: repair, name: "Repair of a handle" },
        { id: bare, variant_id, quantity: 2, metadata: { public_note: "For Kofi" } },
        { id: described, variant_id, quantity: 3 },
      ],
    });

    expect(linesOf(changed)).toEqual([
      [repair ?? "", 1, {}],
      [bare ?? "", 2, { public_note: "For Kofi" }],
      [described ?? "", 3, gift],
    ]);
    expect(changed.at("/line_items/0/name")).toBe("Repair of a handle");
  });

  test("cannot be named in an order that does not have it, or twice", async () => {
    const { variantId: variant_id } = await mug(shop);
    const [order, other] = [
      await place(shop, [{ variant_id, quantity: 1 }]),
      await place(shop, [{ variant_id, quantity: 1 }]),
    ];
    const line = { id: idsOf(order)[0], variant_id, quantity: 1 };
    const foreign = { id: idsOf(other)[0], variant_id, quantity: 1 };

    const refused = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [foreign, line, line, { ...line, variant_id: (await kanga(shop)).variantId }],
    });
    const placed = await shop.post("/v2/orders", { line_items: [line] });

    expect(refused.status).toBe(422);
    expect(faultsOf(refused)).toEqual([
      ["/line_items/0/id", "unknown_line"],
      ["/line_items/2/id", "duplicate"],
      ["/line_items/3/id", "unknown_line"],
    ]);
    expect(faultsOf(placed)).toEqual([["/line_items/0/id", "unknown_line"]]);
    expect((await reread(shop, order)).at("/version")).toBe(1);
  });

  test("joins the line to which it becomes equal, under the older id", async () => {
    const { variantId: variant_id } = await mug(shop);
    const cart = await basket(shop, [{ variant_id, quantity: 2 }]);
    const [older] = idsOf(cart);
    const newer = idsOf(await add(cart, { variant_id, quantity: 5, metadata: gift }))[1];

    const joined = await put(cart, newer, { body: { metadata: {}, quantity: 4 } });

    expect(linesOf(joined)).toEqual([[older ?? "", 6, {}]]);
  });

  test("is changed by one of several requests for the same version", async () => {
    const cart = await basket(shop, [of(await mug(shop))]);
    const [id] = idsOf(cart);
    const options = { headers: { "If-Match": '"1"' } };

    const answers = await atOnce(4, (at) => put(cart, id, { body: { quantity: at + 1 }, options }));

    expect(statuses(answers)).toEqual([200, 412, 412, 412]);
  });

  test("keeps what the merchant wrote when a web page changes what it may", async () => {
    const { variantId: variant_id } = await mug(shop);
    const cart = await basket(shop, [
      { variant_id, quantity: 1, metadata: { bin: "A4", ...gift } },
    ]);

    const body = { metadata: { public_note: "For Kofi" } };
    const seen = await put(cart, idsOf(cart)[0], { body, options: web });

    expect(linesOf(seen).map(([, , metadata]) => metadata)).toEqual([body.metadata]);
    expect(linesOf(await readCart(shop, cart)).map(([, , metadata]) => metadata)).toEqual([
      { bin: "A4", public_note: "For Kofi" },
    ]);
  });

  test("that was stored without an id has one of its cart and place, until a change stores it", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await basket(shop, [of(cup), of(cloth, 2)]);
    const bare = [cup, cloth].map(({ variantId }, at) => ({ variantId, quantity: at + 1 }));
    await shop.test.database.write((tx) => storeLines(tx, { id: cart.id, lines: bare }));
    const digits = cart.id.slice(5, -2);

    const read = await readCart(shop, cart);
    const left = await remove(cart, `cl_${digits}00`);

    expect(linesOf(read)).toEqual([
      [`cl_${digits}00`, 1, {}],
      [`cl_${digits}01`, 2, {}],
    ]);
    expect(idsOf(left)).toEqual([`cl_${digits}01`]);
    expect(idsOf(await readCart(shop, cart))).toEqual([`cl_${digits}01`]);
  });
});

describe("a list that replaces the lines", () => {
  test("finds each by its id, by what describes it, or by its variant", async () => {
    const { variantId: variant_id } = await mug(shop);
    const cart = await basket(shop, [
      { variant_id, quantity: 1, metadata: { n: 1 } },
      { variant_id, quantity: 1, metadata: { n: 2 } },
      { variant_id, quantity: 1, metadata: { n: 3 } },
    ]);
    const [one = "", two = "", three = ""] = idsOf(cart);

    const after = await change(shop, cart, {
      line_items: [
        { variant_id, quantity: 4 },
        { variant_id, quantity: 5, metadata: { n: 2 } },
        { variant_id, quantity: 6, id: three, metadata: { n: 4 } },
        { variant_id, quantity: 7, metadata: { n: 9 } },
      ],
    });

    expect(linesOf(after).slice(0, 3)).toEqual([
      [one, 4, { n: 1 }],
      [two, 5, { n: 2 }],
      [three, 6, { n: 4 }],
    ]);
    expect(linesOf(after)[3]?.slice(1)).toEqual([7, { n: 9 }]);
    expect(new Set(idsOf(after)).size).toBe(4);
  });

  test("names no line of another cart or variant, and none twice", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const other = idsOf(await basket(shop, [of(cup)]))[0];
    const cart = await basket(shop, [of(cup)]);
    const [id] = idsOf(cart);

    const line_items = [
      { ...of(cup), id },
      { ...of(cup), id },
      { ...of(cup), id: other },
      { ...of(cloth), id },
    ];

    expect(faultsOf(await change(shop, cart, { line_items }))).toEqual([
      ["/line_items/1/id", "duplicate"],
      ["/line_items/2/id", "unknown_line"],
      ["/line_items/3/id", "unknown_line"],
    ]);
  });
});

test("a web page's units of a variant are bounded over all its lines", async () => {
  await using own = await openTestShop({ asks: "nothing" });
  await own.put("/v2/store", { enforce_limits: true });
  const key = await own.createKey({ scopes: ["storefront"] });
  const { variantId: variant_id } = await mug(own, { stock: 100 });
  const post = (cart: Answered, body: object) =>
    own.post(`/v2/carts/${cart.id}/lines`, { variant_id, ...body }, { key });
  const cart = await own.post("/v2/carts", {}, { key });

  await post(cart, { quantity: 12 });
  await post(cart, { quantity: 8, metadata: gift });
  const refused = await post(cart, {});

  expect(faultsOf(refused)).toEqual([["/quantity", "too_many_units"]]);
  expect(await own.get(`/v2/carts/${cart.id}`).then(linesOf)).toHaveLength(2);
});
