// What a line of an order shows of its variant beside the name: as it was when it was ordered, and for orders of an older
// version as the catalog has it.

import { describe, expect, test } from "bun:test";

import { fillShownJob } from "#sales/routes/jobs.ts";

import { rowsBehind, tamper } from "../../support/behind-the-shop.ts";
import { mug } from "../../support/cast.ts";
import { picture } from "../../support/pictures.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { of, place, reread } from "./counter.ts";

const shared = sharedShop({ asks: "nothing" });

interface ShownLine {
  readonly product_slug: string | null;
  readonly variant_title: string | null;
  readonly options: object;
  readonly image: { readonly url: string; readonly placeholder: string | null } | null;
}

function shownIn(lines: readonly unknown[]): ShownLine[] {
  return lines.map((line) => {
    const { product_slug, variant_title, options, image } = Object(line);
    return { product_slug, variant_title, options, image };
  });
}

const shownOf = (order: Answered) => shownIn(order.list("/line_items"));

/** A product in two sizes with a picture of its own, of which one has another. */
async function tee(shop: TestShop) {
  const medium = await shop.send("POST", "/v2/media", {
    text: Uint8Array.from(await picture("png", 300, 200)),
    headers: { "Content-Type": "image/png" },
  });
  const product = await shop.post("/v2/products", {
    name: `Tee ${shop.nextNumber()}`,
    images: [{ url: "https://pictures.example/tee.png", alt: "A tee" }],
    options: [{ name: "Size", values: ["M", "L"] }],
    variants: [
      {
        options: { Size: "M" },
        prices: [{ amount: 9 }],
        stock: 10,
        image: { media_id: medium.id },
      },
      { options: { Size: "L" }, prices: [{ amount: 9 }], stock: 10 },
    ],
  });
  const lines = [0, 1].map((at) => ({
    variant_id: product.string(`/variants/${at}/id`),
    quantity: 1,
  }));
  return { medium, product, lines };
}

describe("a line of an order", () => {
  test("shows its variant and picture as they were when it was ordered", async () => {
    const { medium, product, lines } = await tee(shared);
    const order = await place(shared, lines);
    await shared.put(`/v2/products/${product.id}`, { slug: `moved-${shared.nextNumber()}` });

    const shown = shownOf(await reread(shared, order));

    const { url, width, height, sizes } = Object(medium.body);
    const small = { media_id: medium.id, url, width, height, sizes, alt: "", placeholder: null };
    const product_slug = product.string("/slug");
    expect(shown).toEqual([
      { product_slug, variant_title: "M", options: { Size: "M" }, image: small },
      {
        product_slug,
        variant_title: "L",
        options: { Size: "L" },
        image: expect.objectContaining({ url: "https://pictures.example/tee.png" }),
      },
    ]);
  });

  test("shows the same in each answer and event that has it", async () => {
    await shared.announced();
    const { lines } = await tee(shared);
    const key = await shared.createKey({ scopes: ["storefront"] });

    const order = await place(shared, lines);
    const token = order.string("/order_token");
    const byLink = await shared.get("/v2/orders/by-link", {
      key,
      headers: { "Order-Token": token },
    });
    const [listed] = (await shared.get("/v2/orders?limit=1")).list("/data");
    const news = (await shared.announced()).find(({ event }) => event === "order.placed");

    const shown = shownOf(await reread(shared, order));
    expect(shownOf(order)).toEqual(shown);
    expect(shownOf(byLink)).toEqual(shown);
    expect(shownIn(Object(listed).line_items)).toEqual(shown);
    expect(shownIn(Object(news?.data).line_items)).toEqual(shown);
  });

  test("keeps what it shows when its quantity changes, and shows nothing that is not of the catalog", async () => {
    const { product, lines } = await tee(shared);
    const own = { name: "Repair", unit_price: 4, quantity: 1 };
    const order = await place(shared, [...lines, own]);
    await shared.put(`/v2/products/${product.id}`, { slug: `moved-${shared.nextNumber()}` });

    const line_items = [...lines.map((line) => ({ ...line, quantity: 3 })), own];
    const changed = await shared.put(`/v2/orders/${order.id}`, { line_items });

    expect(shownOf(changed)).toEqual(shownOf(order));
    expect(shownOf(changed)[2]).toEqual({
      product_slug: null,
      variant_title: null,
      options: {},
      image: null,
    });
  });
});

describe("orders of an older version", () => {
  const GONE = "var_01h455vb4pex5vsknk084sn02q";

  /** A shop whose lines show nothing yet, and one of which has a variant that is gone. */
  async function openOldShop() {
    const shop = await openTestShop({ asks: "nothing" });
    const { lines } = await tee(shop);
    const order = await place(shop, [...lines, of(await mug(shop))]);
    await shop.duka.stop();
    await tamper(
      shop.folder.path,
      "UPDATE order_lines SET shown = NULL",
      `UPDATE order_lines SET variant_id = '${GONE}' WHERE position = 2`,
    );
    return { shop, lines, order };
  }

  test("show what the catalog has, without a version and without an event", async () => {
    const { shop, lines, order } = await openOldShop();
    await using again = await openTestShop({ folder: shop.folder });
    const before = await reread(again, order);
    const events = await again.events();

    await fillShownJob([again.test]).run();

    const after = await reread(again, order);
    const nothing = { product_slug: null, variant_title: null, options: {}, image: null };
    expect(shownOf(before)).toEqual([nothing, nothing, nothing]);
    expect(after.at("/version")).toBe(before.at("/version"));
    expect(await again.events()).toEqual(events);
    expect(shownOf(after)).toEqual([...shownOf(await place(again, lines)), nothing]);
  });

  test("are looked at once, also where a variant is gone", async () => {
    const { shop } = await openOldShop();
    await using again = await openTestShop({ folder: shop.folder });

    await fillShownJob([again.test]).run();

    const query = "SELECT count(*) AS left_over FROM order_lines WHERE shown IS NULL";
    expect(await rowsBehind(again.folder.path, query)).toEqual([{ left_over: 0 }]);
  });
});
