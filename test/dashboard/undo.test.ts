// Undo: what a person changes at once is offered back in the same breath, by a form that works without a script.

import { describe, expect, test } from "bun:test";

import { pages } from "#dashboard/pages/pages.ts";

import { mug } from "../support/cast.ts";
import {
  type DashboardShop,
  openDashboard,
  PASSWORD,
  type SeenPage,
  sharedDashboard,
  type Visitor,
} from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const MINUTE_MS = 60_000;
const HOME = "/dashboard/test";

/** Sends a form of a page with the version that the page shows, and opens what follows. */
async function edit(
  visitor: Visitor,
  path: string,
  { form, ...fields }: Readonly<Record<string, string>> & { readonly form: string },
): Promise<SeenPage> {
  const version = (await visitor.get(`${HOME}${path}`)).field("version");
  return visitor.sendAndFollow(`${HOME}${path}/${form}`, { version, ...fields });
}

/** The form behind the button Undo, as a browser without a script sends it; null where there is none. */
function undoOf({ html }: SeenPage): { readonly to: string; readonly undo: string } | null {
  const found =
    /<form[^>]*action="([^"]+)"[^>]*>(?:(?!<\/form>).)*name="undo" value="([^"]+)"/s.exec(html);
  return found === null ? null : { to: found[1] ?? "", undo: found[2] ?? "" };
}

/** Presses Undo. */
async function press(visitor: Visitor, page: SeenPage): Promise<SeenPage> {
  const found = undoOf(page);
  if (found === null) throw new Error(`No Undo in ${page.text}`);
  return visitor.sendAndFollow(found.to, { undo: found.undo });
}

/** An order that is sent, with the page of its parcel. */
async function placeSent({ shop }: DashboardShop) {
  const { variantId } = await mug(shop);
  const { id } = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    metadata: { picked_by: "till 2" },
  });
  const order = await shop.put(`/v2/orders/${id}/fulfill`);
  return {
    path: `/orders/${id}`,
    api: `/v2/orders/${id}`,
    parcel: order.string("/fulfillments/0/id"),
  };
}

describe("an edit that is undone", () => {
  test("gives a product back its name, its price, its words and its tags", async () => {
    const { owner, shop } = dashboard;
    const { productId } = await mug(shop, { description: "Fired twice.\nBlue.", tags: ["clay"] });
    const before = (await shop.get(`/v2/products/${productId}`)).body;
    const saved = await edit(owner, `/products/${productId}`, {
      form: "save",
      "/name": "Cup",
      "/price": "99.00",
      "/description": "",
      "/tags/": "[]",
      "/tags/0": "glass",
    });

    const undone = await press(owner, saved);

    expect(saved.text).toContain("Saved. Undo");
    expect(undone.text).toContain("Undone. It is as it was.");
    const { name, description, tags, variants } = Object(before);
    const after = await shop.get(`/v2/products/${productId}`);
    expect(after.body).toMatchObject({ name, description, tags, variants });
  });

  test("gives a variant back its prices in all currencies, and its code", async () => {
    const { owner, shop } = dashboard;
    const { productId, variantId } = await mug(shop);
    const variant = `/v2/products/${productId}/variants/${variantId}`;
    const prices = [
      { currency: "USD", amount: "12.50", compare_at: "20.00" },
      { currency: "GHS", amount: "150.00" },
    ];
    const before = (await shop.put(variant, { prices })).body;

    const saved = await edit(owner, `/products/${productId}/variants/${variantId}`, {
      form: "save",
      "/prices/0/currency": "USD",
      "/prices/0/amount": "11.00",
      "/sku": "OTHER",
    });
    await press(owner, saved);

    expect((await shop.get(variant)).body).toEqual(before);
  });

  test.each([
    ["shop", { form: "save", "/name": "Other shop", "/low_stock_threshold": "9" }],
    ["look", { form: "save", "/contact_email": "a@shop.example" }],
    ["taxes", { form: "terms", "/tax_id": "C0001", "/prices_include_tax": "true" }],
  ])("gives the shop back its settings: %s", async (path, fields) => {
    const { owner, shop } = dashboard;
    const before = await shop.get("/v2/store");

    const saved = await edit(owner, `/settings/${path}`, fields);
    expect((await shop.get("/v2/store")).at("/version")).not.toBe(before.at("/version"));
    await press(owner, saved);

    const { version: _, updated_at: __, ...settings } = Object(before.body);
    expect((await shop.get("/v2/store")).body).toMatchObject(settings);
  });

  test("offers a way to pay again as it was, and leaves the others alone", async () => {
    const { owner, shop } = dashboard;
    await shop.put("/v2/store", {
      payment_methods: { cash: { enabled: true, instructions: "At the till" } },
    });
    const before = (await shop.get("/v2/store")).at("/payment_methods");

    const saved = await edit(owner, "/settings/payments/cash", {
      form: "save",
      "/payment_methods/cash/enabled": "false",
      "/payment_methods/cash/instructions": "",
    });
    await press(owner, saved);

    expect(saved.text).toContain("Saved. Undo");
    expect((await shop.get("/v2/store")).at("/payment_methods")).toEqual(before);
  });

  test("lets a tax rate hold again that was ended", async () => {
    const { owner, shop } = dashboard;
    await shop.put("/v2/store", { country: "GH" });
    const vat = { name: "VAT", rate: "15", country: "GH" };
    const { id } = await shop.post("/v2/tax-rates", vat);

    const ended = await edit(owner, `/settings/taxes/${id}/end`, {
      form: "sure",
      "/valid_until": "2031-01-01",
    });
    const undone = await press(owner, ended);

    expect(undone.text).toContain("Undone. It is as it was.");
    expect((await shop.get(`/v2/tax-rates/${id}`)).at("/valid_until")).toBeNull();
  });

  test("gives a zone back its places, a rate its price, and a pickup place its address", async () => {
    const { owner, shop } = dashboard;
    const places = [{ country: "GH", region: "Ashanti" }, { country: "TG" }];
    const zone = await shop.post("/v2/shipping-zones", { name: "Near", places });
    const tiers = [{ from: 0, amounts: [{ currency: "USD", amount: "5.00" }] }];
    const rate = await shop.post("/v2/shipping-rates", {
      zone_id: zone.id,
      name: "Van",
      kind: "flat",
      tiers,
    });
    const address = { line1: "Market 1", city: "Accra", country: "GH", postal_code: "GA1" };
    const place = await shop.post("/v2/pickup-locations", { name: "Stall", address });
    const shipping = "/settings/shipping";

    const edits = [
      await edit(owner, `${shipping}/zones/${zone.id}`, {
        form: "save",
        "/name": "Far",
        "/places/0/country": "NG",
      }),
      await edit(owner, `${shipping}/rates/${rate.id}`, {
        form: "save",
        "/tiers/0/from": "0",
        "/tiers/0/amounts/0/currency": "USD",
        "/tiers/0/amounts/0/amount": "7.00",
      }),
      await edit(owner, `${shipping}/pickup/${place.id}`, {
        form: "save",
        "/address/line1": "Market 2",
        "/address/country": "GH",
      }),
    ];
    for (const page of edits) await press(owner, page);

    const now = async (path: string, id: string) => (await shop.get(`/v2/${path}/${id}`)).body;
    expect(await now("shipping-zones", zone.id)).toMatchObject({ name: "Near", places });
    expect(await now("shipping-rates", rate.id)).toMatchObject({
      tiers: [{ amounts: [{ amount: 5 }] }],
    });
    expect(await now("pickup-locations", place.id)).toMatchObject({ address });
  });

  test("offers a discount again that was archived, and archives one that was offered", async () => {
    const { owner, shop } = dashboard;
    const { id } = await shop.post("/v2/discounts", {
      title: "Harmattan",
      target: "order",
      percent: "10",
      codes: ["WIND"],
    });
    const path = `/settings/discounts/${id}`;
    const now = async () => (await shop.get(`/v2/discounts/${id}`)).at("/status");

    await press(owner, await edit(owner, path, { form: "archive", "/archived": "true" }));
    expect(await now()).toBe("active");
    await edit(owner, path, { form: "archive", "/archived": "true" });
    await press(owner, await edit(owner, path, { form: "archive", "/archived": "false" }));

    expect(await now()).toBe("archived");
  });

  test("gives an order back its note, beside what programs keep", async () => {
    const { owner, shop } = dashboard;
    const { path, api } = await placeSent(dashboard);
    const note = (text: string) =>
      edit(owner, path, { form: "note", "/metadata/merchant_note": text });
    await note("Call first.\nThen ring.");

    await press(owner, await note("Never mind"));

    expect((await shop.get(api)).at("/metadata")).toMatchObject({
      picked_by: "till 2",
      merchant_note: "Call first.\nThen ring.",
    });
  });

  test("gives a parcel back its tracking, and takes it away where there was none", async () => {
    const { owner, shop } = dashboard;
    const { path, api, parcel } = await placeSent(dashboard);
    const track = (number: string) =>
      edit(owner, `${path}/sent/${parcel}`, { form: "tracking", "/tracking/number": number });
    const now = async () => (await shop.get(api)).at("/fulfillments/0/tracking");

    await press(owner, await track("A1"));
    expect(await now()).toBeNull();
    await track("A2");
    await press(owner, await track("A3"));

    expect(await now()).toMatchObject({ number: "A2" });
  });
});

describe("Undo", () => {
  test("of what somebody changed since is refused, and the page says what changed", async () => {
    const { owner, shop } = dashboard;
    const { productId } = await mug(shop);
    const saved = await edit(owner, `/products/${productId}`, { form: "save", "/name": "Cup" });
    await shop.put(`/v2/products/${productId}`, { description: "Made in Kumasi", tags: ["clay"] });

    const refused = await press(owner, saved);

    expect(refused.status).toBe(412);
    expect(refused.text).toContain(
      "Not undone: it was changed again in the meantime (Description, Tags).",
    );
    expect(refused.field("/name")).toBe("Cup");
    expect(refused.text).toContain("Made in Kumasi");
    expect((await shop.get(`/v2/products/${productId}`)).at("/name")).toBe("Cup");
  });

  test("tapped twice is one effect", async () => {
    const { owner, shop } = dashboard;
    const { productId, name } = await mug(shop);
    const saved = await edit(owner, `/products/${productId}`, { form: "save", "/name": "Cup" });

    const taps = await Promise.all([press(owner, saved), press(owner, saved)]);

    expect(taps.map(({ status }) => status)).toEqual([200, 200]);
    const product = await shop.get(`/v2/products/${productId}`);
    expect([product.at("/name"), product.at("/version")]).toEqual([name, 3]);
  });

  test("is not offered where nothing changed, nor after it was pressed", async () => {
    const { owner, shop } = dashboard;
    const { productId, name } = await mug(shop);
    const path = `/products/${productId}`;

    const same = await edit(owner, path, { form: "save", "/name": name });
    const undone = await press(owner, await edit(owner, path, { form: "save", "/name": "Cup" }));

    expect([undoOf(same), undoOf(undone)]).toEqual([null, null]);
  });

  test("is not offered where the price cannot be taken away again", async () => {
    const { owner, shop } = dashboard;
    const { id } = await shop.post("/v2/products", { name: "Vase" });

    const saved = await edit(owner, `/products/${id}`, { form: "save", "/price": "8.00" });

    expect([saved.text.includes("Saved."), undoOf(saved)]).toEqual([true, null]);
  });

  test("is not offered to another session, nor by a link of another site", async () => {
    const { owner, shop } = dashboard;
    const kofi = await dashboard.join("owner", "Kofi");
    const { productId } = await mug(shop);
    const path = `${HOME}/products/${productId}`;
    const version = (await owner.get(path)).field("version");
    const { location } = await owner.send(`${path}/save`, { version, "/name": "Cup" });
    const own = { "Sec-Fetch-Site": "same-origin" };

    const seen = [
      await owner.get(location, own),
      await kofi.get(location, own),
      await owner.get(location, { "Sec-Fetch-Site": "cross-site" }),
    ];

    expect(seen.map((page) => undoOf(page) !== null)).toEqual([true, false, false]);
    expect(location).not.toContain("Mug");
  });

  test("sent by another site, by another session or to another form changes nothing", async () => {
    const { owner, shop } = dashboard;
    const kofi = await dashboard.join("owner", "Kofi");
    const { productId } = await mug(shop);
    const saved = await edit(owner, `/products/${productId}`, { form: "save", "/name": "Cup" });
    const { to, undo } = undoOf(saved) ?? { to: "", undo: "" };
    const elsewhere = to.replace(/save$/, "archive");

    const answers = [
      await owner.send(to, { undo }, { "Sec-Fetch-Site": "cross-site" }),
      await kofi.send(to, { undo }),
      await owner.send(elsewhere, { undo }),
      await owner.send(to, { undo: "x".repeat(80) }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 409, 409, 409]);
    expect(answers[1]?.text).toContain("Not undone");
    expect((await shop.get(`/v2/products/${productId}`)).at("/name")).toBe("Cup");
  });

  test("is nothing to those who do not run the shop any more", async () => {
    const { shop } = dashboard;
    const kofi = await dashboard.join("staff", "Kofi");
    const { productId } = await mug(shop);
    const saved = await edit(kofi, `/products/${productId}`, { form: "save", "/name": "Cup" });
    await dashboard.remove(kofi.name);

    const { to, undo } = undoOf(saved) ?? { to: "", undo: "" };
    const answer = await kofi.send(to, { undo });

    expect(answer.status).toBe(401);
    expect((await shop.get(`/v2/products/${productId}`)).at("/name")).toBe("Cup");
  });

  test("of a way to pay asks for the password again after 15 minutes", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const saved = await edit(owner, "/settings/payments/cash", {
      form: "save",
      "/payment_methods/cash/enabled": "false",
    });
    shop.clock.advance(16 * MINUTE_MS);

    const asked = await press(owner, saved);
    const enabled = async () => (await shop.get("/v2/store")).at("/payment_methods/cash/enabled");
    expect([asked.html.includes('type="password"'), await enabled()]).toEqual([true, false]);
    await owner.send(`${HOME}/settings/payments/cash/save`, {
      undo: asked.field("undo"),
      "confirm-password": PASSWORD,
    });

    expect(await enabled()).toBe(true);
  });
});

test("every form that changes a version at once offers Undo, or cannot be taken back", () => {
  const without = pages.flatMap(({ path, forms = {} }) =>
    Object.entries(forms).flatMap(([name, form]) =>
      "route" in form && form.route.startsWith("PUT ") && form.undo === undefined
        ? [`${path} ${name}`]
        : [],
    ),
  );

  expect(without).toEqual([
    // An item that was taken out would come back at the price of today.
    "/orders/{id}/items items",
    // It has its way back beside it.
    "/products/collections/{id} add",
    // Deliveries that were cancelled stay so, and what happened while it was off is not sent by itself.
    "/webhooks/{id} on",
    "/webhooks/{id}/off sure",
    // A key has no version.
    "/keys/{id} rename",
    // A payment stays at the address where it began. To delete, to retire and to open again stand beside them.
    "/settings/payments/gateways/new make",
    "/settings/payments/gateways/{id} save",
    "/settings/payments/gateways/{id} stand",
  ]);
});
