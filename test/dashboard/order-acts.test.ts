// Acts on an order that need to be told more, each through its form, and the order on paper.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { settle } from "../payments/scripted-shop.ts";
import type { Answered } from "../support/shop.ts";
import { type DashboardShop, openDashboard, type SeenPage } from "./dashboard-shop.ts";

let dashboard: DashboardShop;
let mug: string;
let soap: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  const methods = { bank_transfer: { enabled: true }, cash: { enabled: true } };
  await shop.put("/v2/store", { payment_methods: methods });
  const make = async (name: string, price: string) =>
    (await shop.post("/v2/products", { name, price, stock: 100 })).string("/variants/0/id");
  mug = await make("Mug", "12.50");
  soap = await make("Soap", "4.00");
});

afterAll(() => dashboard[Symbol.asyncDispose]());

/** An order of two mugs and three soaps, 37.00. */
function place(given: object = {}): Promise<Answered> {
  return dashboard.shop.post("/v2/orders", {
    line_items: [
      { variant_id: mug, quantity: 2 },
      { variant_id: soap, quantity: 3 },
    ],
    customer: { name: "Ada Mensah", phone: "+233551234987" },
    payment_method: "bank_transfer",
    ...given,
  });
}

const placePaid = () => place({ paid: { method: "bank_transfer" } });
const orderNow = (id: string) => dashboard.shop.get(`/v2/orders/${id}`);
const at = (id: string, path = "") => `/dashboard/test/orders/${id}${path}`;

/** The quantities of mugs and soaps, with the hidden fields of their rows. */
function units(page: SeenPage, of: readonly (number | string)[]): Record<string, string> {
  const pairs = of.flatMap((quantity, line) => [
    [`/line_items/${line}/line_item_id`, page.field(`/line_items/${line}/line_item_id`)] as const,
    [`/line_items/${line}/quantity`, String(quantity)] as const,
  ]);
  return Object.fromEntries(pairs);
}

describe("a part of an order", () => {
  test("is cancelled once by a double tap, and its money goes back", async () => {
    const { id } = await placePaid();
    const page = await dashboard.owner.get(at(id, "/cancel"));
    const fields = { version: page.field("version"), "/refund": "true", ...units(page, [1, 0]) };

    const taps = await Promise.all(
      [1, 2].map(() => dashboard.owner.send(at(id, "/cancel/cancel"), fields)),
    );

    expect(taps.map(({ location }) => location)).toEqual(taps.map(() => at(id, "?done=cancelled")));
    await settle(dashboard.shop);
    const order = await orderNow(id);
    expect([order.at("/status"), order.at("/credited_total")]).toEqual(["open", 12.5]);
    expect([order.at("/refunding_total"), order.at("/kept_total")]).toEqual([12.5, 0]);
  });

  test("is cancelled, and only a part of its money goes back", async () => {
    const { id } = await placePaid();
    const page = await dashboard.owner.get(at(id, "/cancel"));

    await dashboard.owner.send(at(id, "/cancel/cancel"), {
      version: page.field("version"),
      "/refund": "true",
      "/refund_part": "10.00",
      ...units(page, [1, 0]),
    });

    await settle(dashboard.shop);
    const order = await orderNow(id);
    expect([order.at("/refunding_total"), order.at("/kept_total")]).toEqual([10, 2.5]);
  });

  test("is not cancelled for more money than was paid for it, which is said at the amount", async () => {
    const { id } = await placePaid();
    const page = await dashboard.owner.get(at(id, "/cancel"));

    const refused = await dashboard.owner.send(at(id, "/cancel/cancel"), {
      version: page.field("version"),
      "/refund": "true",
      "/refund_part": "30.00",
      ...units(page, [1, 0]),
    });

    expect([refused.status, refused.field("/refund_part")]).toEqual([422, "30.00"]);
    expect(refused.html).toContain('href="#f-refund_part"');
    expect((await orderNow(id)).at("/credited_total")).toBe(0);
  });

  test("is refused at its own line, where a line before it is left out", async () => {
    const { id } = await placePaid();
    const page = await dashboard.owner.get(at(id, "/cancel"));

    const refused = await dashboard.owner.send(at(id, "/cancel/cancel"), {
      version: page.field("version"),
      ...units(page, [0, 9]),
    });

    expect([refused.status, refused.field("/line_items/1/quantity")]).toEqual([422, "9"]);
    expect(refused.html).toContain('href="#f-line_items-1-quantity"');
    expect(refused.html).not.toContain('href="#f-line_items-0-quantity"');
  });

  test("of no unit at all is refused, and nothing is cancelled", async () => {
    const { id } = await placePaid();
    const page = await dashboard.owner.get(at(id, "/cancel"));

    const refused = await dashboard.owner.send(at(id, "/cancel/cancel"), {
      version: page.field("version"),
      ...units(page, [0, ""]),
    });

    expect(refused.status).toBe(422);
    expect((await orderNow(id)).at("/status")).toBe("open");
  });

  test("keeps its line where a line before it was sent meanwhile", async () => {
    const placed = await placePaid();
    const page = await dashboard.owner.get(at(placed.id, "/cancel"));
    await dashboard.shop.put(`/v2/orders/${placed.id}/fulfill`, {
      line_items: [{ line_item_id: placed.string("/line_items/0/id"), quantity: 2 }],
    });

    const late = await dashboard.owner.send(at(placed.id, "/cancel/cancel"), {
      version: page.field("version"),
      ...units(page, [2, 1]),
    });

    expect([late.status, late.field("/line_items/1/quantity")]).toEqual([412, "1"]);
    expect(late.field("/line_items/1/line_item_id")).toBe(page.field("/line_items/1/line_item_id"));
    expect(late.html).not.toContain('name="/line_items/0/quantity"');
  });
});

describe("an act on an order that was changed meanwhile", () => {
  test.each([
    ["a parcel", "/send", "/send/part"],
    ["a cancellation", "/cancel", "/cancel/check"],
  ])("%s says so, also where something else was put right first", async (_, form, path) => {
    const placed = await placePaid();
    const page = await dashboard.owner.get(at(placed.id, form));
    await dashboard.shop.put(`/v2/orders/${placed.id}`, { notes: "Ring twice" });
    const send = (seen: SeenPage, mugs: string) =>
      dashboard.owner.send(at(placed.id, path), {
        version: seen.field("version"),
        ...units(page, [mugs, 0]),
      });

    const wrong = await send(page, "one");
    const late = await send(wrong, "1");
    const again = await send(late, "1");

    expect([wrong.status, late.status, again.status < 400]).toEqual([422, 412, true]);
    expect(late.text).toContain("This was changed in the meantime. Here is how it is now");
  });
});

test("what happened names the part that was sent, and the items that were cancelled", async () => {
  const { id } = await placePaid();
  const act = async (path: string, of: readonly number[]) => {
    const page = await dashboard.owner.get(at(id, path));
    const name = path === "/send" ? "part" : "cancel";
    await dashboard.owner.send(at(id, `${path}/${name}`), {
      version: page.field("version"),
      ...units(page, of),
    });
  };

  await act("/send", [1, 0]);
  await act("/cancel", [0, 2]);

  const { text } = await dashboard.owner.get(at(id));
  expect(text).toContain("Sent in part by Ama");
  expect(text).toContain("Items were cancelled by Ama");
});

describe("items that come back", () => {
  test("bring back only a part of their money", async () => {
    const { id } = await placePaid();
    await dashboard.shop.put(`/v2/orders/${id}/fulfill`);
    const page = await dashboard.owner.get(at(id, "/return"));

    await dashboard.owner.send(at(id, "/return/units"), {
      version: page.field("version"),
      "/restock": "false",
      "/refund": "true",
      "/refund_part": "3.00",
      ...units(page, [0, 1]),
    });

    const returned = await dashboard.shop.get(`/v2/orders/${id}/returns`);
    expect(returned.at("/data/0/refund")).toBe(3);
    expect((await orderNow(id)).at("/kept_total")).toBe(1);
    // Nothing was cancelled, so that is not what it was kept after.
    expect((await dashboard.owner.get(at(id))).text).toContain("Kept by the shop 1.00");
  });
});

describe("the tracking of a parcel", () => {
  async function sent(): Promise<{ readonly id: string; readonly path: string }> {
    const { id } = await placePaid();
    const order = await dashboard.shop.put(`/v2/orders/${id}/fulfill`);
    return { id, path: at(id, `/sent/${order.string("/fulfillments/0/id")}`) };
  }

  test("comes in the evening, and is changed later", async () => {
    const { id, path } = await sent();
    const type = async (number: string) =>
      dashboard.owner.sendAndFollow(`${path}/tracking`, {
        version: (await dashboard.owner.get(path)).field("version"),
        "/tracking/carrier": "DHL",
        "/tracking/number": number,
        "/tracking/url": "https://dhl.example/A1",
      });
    expect((await dashboard.owner.get(at(id))).text).toContain("Add tracking");

    const after = await type("A1");

    expect(after.text).toContain("Tracking saved.");
    expect(after.text).toContain("DHL A1");
    expect(after.html).toContain('href="https://dhl.example/A1"');
    expect((await dashboard.owner.get(path)).field("/tracking/number")).toBe("A1");
    const changed = await type("A2");
    expect(changed.text).toContain("DHL A2");
    expect(changed.text).toContain("The tracking was changed by Ama");
  });

  test("with an address that leads nowhere is refused at the field, with what was typed", async () => {
    const { id, path } = await sent();

    const refused = await dashboard.owner.send(`${path}/tracking`, {
      version: (await dashboard.owner.get(path)).field("version"),
      "/tracking/carrier": "DHL",
      "/tracking/url": "javascript:alert(1)",
    });

    expect([refused.status, refused.field("/tracking/carrier")]).toEqual([422, "DHL"]);
    expect(refused.html).toContain('href="#f-tracking-url"');
    expect((await orderNow(id)).at("/fulfillments/0/tracking")).toBeNull();
  });

  test("of a parcel that is not the order's is not there", async () => {
    const { path } = await sent();
    const { id: other } = await placePaid();
    const fulfillment = path.split("/").at(-1) ?? "";

    const page = await dashboard.owner.get(at(other, `/sent/${fulfillment}`));

    expect(page.status).toBe(404);
  });
});

describe("the items of an order", () => {
  const change = (page: SeenPage, mugs: number, soaps: number) => ({
    version: page.field("version"),
    "/line_items/0/variant_id": page.field("/line_items/0/variant_id"),
    "/line_items/0/quantity": mugs,
    "/line_items/1/variant_id": page.field("/line_items/1/variant_id"),
    "/line_items/1/quantity": soaps,
  });

  test("are changed while nothing is paid, and none takes an item out", async () => {
    const { id } = await place();
    const page = await dashboard.owner.get(at(id, "/items"));

    await dashboard.owner.send(at(id, "/items/items"), change(page, 5, 0));

    const order = await orderNow(id);
    expect([order.list("/line_items").length, order.at("/total")]).toEqual([1, 62.5]);
  });

  test("keep a line of the merchant's own with its price", async () => {
    const { id } = await place({
      line_items: [
        { variant_id: mug, quantity: 1 },
        { name: "Gift wrap", unit_price: "2.50", quantity: 1 },
      ],
    });
    const page = await dashboard.owner.get(at(id, "/items"));

    await dashboard.owner.send(at(id, "/items/items"), {
      version: page.field("version"),
      "/line_items/0/variant_id": page.field("/line_items/0/variant_id"),
      "/line_items/0/quantity": 1,
      "/line_items/1/name": page.field("/line_items/1/name"),
      "/line_items/1/unit_price": page.field("/line_items/1/unit_price"),
      "/line_items/1/quantity": 3,
    });

    expect((await orderNow(id)).at("/total")).toBe(20);
  });

  test("keep the tax class of a line of the merchant's own, where another of its name is taken out", async () => {
    const repair = { name: "Repair", unit_price: "10.00", quantity: 1 };
    const { id } = await place({
      line_items: [{ ...repair, tax_class: "exempt" }, repair],
      discount: { title: "Regular", percent: 10 },
    });
    const page = await dashboard.owner.get(at(id, "/items"));

    await dashboard.owner.send(at(id, "/items/items"), {
      version: page.field("version"),
      "/line_items/0/name": page.field("/line_items/1/name"),
      "/line_items/0/unit_price": page.field("/line_items/1/unit_price"),
      "/line_items/0/tax_class": page.field("/line_items/1/tax_class"),
      "/line_items/0/quantity": 1,
    });

    expect((await orderNow(id)).list("/line_items")).toMatchObject([{ tax_class: "standard" }]);
  });

  test("keep what was typed beside their item, where another one was taken out meanwhile", async () => {
    const { id } = await place();
    const { owner, shop } = dashboard;
    const typed = change(await owner.get(at(id, "/items")), 7, 1);
    const kept = typed["/line_items/1/variant_id"];
    await shop.put(`/v2/orders/${id}`, { line_items: [{ variant_id: kept, quantity: 3 }] });

    const page = await owner.send(at(id, "/items/items"), typed);

    expect(page.status).toBe(412);
    expect(page.field("/line_items/1/variant_id")).toBe(kept);
    expect(page.field("/line_items/1/quantity")).toBe("1");
    expect(page.html).not.toContain('value="7"');
    expect(page.text).toContain("Now: 3");
  });

  test("that the shop has not are refused at their line", async () => {
    const { id } = await place();
    const page = await dashboard.owner.get(at(id, "/items"));

    const refused = await dashboard.owner.send(at(id, "/items/items"), change(page, 0, 5000));

    expect([refused.status, refused.field("/line_items/1/quantity")]).toEqual([409, "5000"]);
    expect(refused.html).toContain('id="f-line_items-1-quantity-fault"');
    expect((await orderNow(id)).at("/total")).toBe(37);
  });

  test("are not offered for a change once the order is paid", async () => {
    const { id } = await placePaid();

    const page = await dashboard.owner.get(at(id, "/items"));

    expect(page.text).toContain("only while nothing is paid");
    expect(page.html).not.toContain("Save items");
    expect((await dashboard.owner.get(at(id))).text).not.toContain("Edit items");
  });
});

describe("an order on paper", () => {
  test("is packed by a slip without prices, of what is not cancelled", async () => {
    const placed = await place({
      notes: "Ring twice",
      shipping_address: { line1: "14 Ring Road", city: "Accra", country: "GH" },
    });
    const soaps = placed.string("/line_items/1/id");
    await dashboard.shop.put(
      `/v2/orders/${placed.id}/cancel`,
      {
        line_items: [{ line_item_id: soaps, quantity: 2 }],
      },
      { headers: { "Idempotency-Key": placed.id } },
    );

    const { text } = await dashboard.owner.get(at(placed.id, "/slip"));

    for (const said of ["2 Mug", "1 Soap", "14 Ring Road", "Ghana", "Ring twice"]) {
      expect(text).toContain(said);
    }
    expect(text).not.toMatch(/\d\.\d\d|USD/);
  });

  test("names the phone of who receives the parcel, on the slip and on the page", async () => {
    const { id } = await place({
      shipping_address: {
        name: "Kofi",
        phone: "+233201112222",
        line1: "14 Ring Road",
        country: "GH",
      },
    });

    const slip = await dashboard.owner.get(at(id, "/slip"));
    const page = await dashboard.owner.get(at(id));

    expect(slip.text).toContain("Kofi +233201112222 14 Ring Road");
    expect(page.text).toContain("14 Ring Road Ghana +233201112222");
  });

  test("is packed by a slip of what is left to send, and of the whole once that is sent", async () => {
    const { id } = await placePaid();
    const lines = [{ line_item_id: (await orderNow(id)).string("/line_items/0/id"), quantity: 2 }];
    await dashboard.shop.put(`/v2/orders/${id}/fulfill`, { line_items: lines });

    const rest = await dashboard.owner.get(at(id, "/slip"));
    await dashboard.shop.put(`/v2/orders/${id}/fulfill`);
    const whole = await dashboard.owner.get(at(id, "/slip"));

    expect(rest.text).not.toContain("Mug");
    expect(rest.text).toContain("Soap");
    expect(whole.text).toContain("2 Mug");
    expect(whole.text).toContain("Soap");
  });

  test("is handed over with a receipt that says who accounts for the tax", async () => {
    const { id } = await place({
      tax_exemption: "reverse_charge",
      discount: { title: "Regular", percent: 10 },
    });

    const { text } = await dashboard.owner.get(at(id, "/receipt"));

    expect(text).toContain("Reverse charge: the customer accounts for the tax.");
  });

  test("is handed over with a receipt that says the total and what was paid", async () => {
    const { id } = await placePaid();

    const { text } = await dashboard.owner.get(at(id, "/receipt"));

    for (const said of ["2 Mug 25.00", "Total USD 37.00", "Paid 37.00", "Ada Mensah"]) {
      expect(text).toContain(said);
    }
  });
});

describe("a viewer", () => {
  test("sees parcels and prints, and has no form", async () => {
    const { id } = await placePaid();
    const order = await dashboard.shop.put(`/v2/orders/${id}/fulfill`);
    const viewer = await dashboard.join("viewer", "Esi");

    const page = await viewer.get(at(id));
    const slip = await viewer.get(at(id, "/slip"));
    const tracking = await viewer.send(
      at(id, `/sent/${order.string("/fulfillments/0/id")}/tracking`),
      { version: order.number("/version"), "/tracking/number": "A1" },
    );

    expect([page.status, slip.status, tracking.status]).toEqual([200, 200, 403]);
    expect(page.text).not.toContain("Add tracking");
    expect(page.html).not.toContain('method="post" action="/dashboard/test/orders');
    expect((await orderNow(id)).at("/fulfillments/0/tracking")).toBeNull();
  });
});
