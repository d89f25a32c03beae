// A new order at the dashboard: from the search to the sale.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { type DashboardShop, decoded, openDashboard } from "./dashboard-shop.ts";

const PAGE = "/dashboard/test/orders/new";

let dashboard: DashboardShop;
let mug: { readonly id: string; readonly product: string };

beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  const methods = { cash_on_delivery: { enabled: true }, cash: { enabled: true } };
  await shop.put("/v2/store", { payment_methods: methods });
  const made = await shop.post("/v2/products", { name: "Blue mug", price: "12.50", stock: 5 });
  mug = { id: made.string("/variants/0/id"), product: made.id };
  await shop.post("/v2/products", { name: "Soap", price: "4.00", stock: 9 });
});

afterAll(() => dashboard[Symbol.asyncDispose]());

/** The fields of a form in which so many mugs are picked. */
function pick(quantity: number, more: object = {}) {
  return {
    form: crypto.randomUUID(),
    "/line_items/0/variant_id": mug.id,
    "/line_items/0/quantity": quantity,
    [`product_of_${mug.id}`]: mug.product,
    "/line_items/1/variant_id": mug.id,
    "/line_items/1/quantity": "",
    ...more,
  };
}

const orders = async () => (await dashboard.shop.get("/v2/orders")).list("/data").length;

describe("a new order", () => {
  test("keeps what was picked while the next item is looked for", async () => {
    const typed = { q: "soap", "/customer/phone": "+233551234987" };

    const found = await dashboard.owner.send(`${PAGE}/find`, pick(2, typed));

    const { text } = found;
    expect([found.status, found.location]).toEqual([200, ""]);
    expect(found.field("/customer/phone")).toBe("+233551234987");
    expect(text).not.toContain("Not saved");
    expect(text).toMatch(/In this order Blue mug .* Items, before taxes and discounts USD 25\.00/);
    expect(text).toMatch(/Items Soap/);
  });

  test("for a known customer goes to the address of theirs that was chosen", async () => {
    const { owner, shop } = dashboard;
    const { id } = await shop.post("/v2/customers", {
      name: "Naa Tetteh",
      email: "naa@example.com",
      addresses: [
        { line1: "14 Ring Road", city: "Accra" },
        { line1: "Blue gate", city: "Tema" },
      ],
    });
    const link = `${PAGE}?customer=${id}`;
    const seen = await owner.get(link);
    const values = [...seen.html.matchAll(/<option value="({[^"]*)"/g)].map(([, value = ""]) =>
      decoded(value),
    );
    const chosen = { "/customer_id": id, "/shipping_address": values[1] ?? "" };

    const found = await owner.send(`${PAGE}/find`, pick(1, { ...chosen, q: "soap" }));
    const review = await owner.send(`${PAGE}/review`, pick(1, chosen));
    await owner.send(
      `${PAGE}/place`,
      pick(1, { ...chosen, "/payment_method": "cash_on_delivery" }),
    );

    expect((await owner.get(`/dashboard/test/customers/${id}`)).html).toContain(`href="${link}"`);
    expect(seen.text).toContain(
      "Naa Tetteh Deliver to 14 Ring Road, Accra Blue gate, Tema No delivery",
    );
    expect(decoded(found.html)).toContain(`value="${values[1]}" selected`);
    expect(review.text).toContain("Deliver to Blue gate Tema Paid later");
    const order = await shop.get(`/v2/orders?customer_id=${id}`);
    expect(order.string("/data/0/shipping_address/line1")).toBe("Blue gate");
    expect(order.string("/data/0/channel")).toBe("phone");
  });

  test("for a customer who was erased meanwhile is refused, and asks who it is for", async () => {
    const { owner, shop } = dashboard;
    const { id } = await shop.post("/v2/customers", { email: "erased@example.com" });
    await shop.post(`/v2/customers/${id}/erase`);

    const seen = await owner.get(`${PAGE}?customer=${id}`);
    const refused = await owner.send(`${PAGE}/place`, pick(1, { "/customer_id": id }));

    expect(refused.status).toBe(422);
    expect(refused.text).toContain("There is no such customer.");
    for (const page of [seen, refused]) expect(page.html).toContain('name="/customer/phone"');
  });

  test("at the counter is paid and taken along at once, and tells the change", async () => {
    const sold = await dashboard.owner.sendAndFollow(
      `${PAGE}/sell`,
      pick(1, { "/paid/tendered": "20", "/customer/phone": "", "/customer/name": "" }),
    );

    expect(sold.text).toContain("Sold and paid. Change to give: USD 7.50.");
    const order = await dashboard.shop.get("/v2/orders?limit=1");
    expect(order.at("/data/0")).toMatchObject({
      status: "completed",
      channel: "pos",
      payment_status: "paid",
      customer: null,
    });
  });

  test("tells no change that an address of another's says", async () => {
    const tendered = { "/paid/tendered": "20" };
    const { location } = await dashboard.owner.send(`${PAGE}/sell`, pick(1, tendered));
    const other = await dashboard.join("staff", "Yaw");

    expect((await dashboard.owner.get(location)).text).toContain("Change to give: USD 7.50.");
    for (const forged of [
      location.replace("change=750", "change=9750"),
      location.replace(/seal=\w+/, "seal="),
      location.replace(/&seal=\w+/, ""),
      location.replace(/seal=\w+/, `seal=${"é".repeat(64)}`),
    ]) {
      const page = await dashboard.owner.get(forged);
      expect([page.status, page.text.includes("Change to give:")]).toEqual([200, false]);
    }
    expect((await other.get(location)).text).not.toContain("Change to give:");
  });

  test("by phone is placed to be paid later", async () => {
    const placed = await dashboard.owner.send(
      `${PAGE}/place`,
      pick(1, { "/customer/phone": "+233551234987", "/payment_method": "cash_on_delivery" }),
    );

    expect(placed.location).toEndWith("?done=placed");
    const order = await dashboard.shop.get("/v2/orders?limit=1");
    expect(order.at("/data/0")).toMatchObject({
      status: "open",
      channel: "phone",
      payment_method: "cash_on_delivery",
      due: 12.5,
    });
  });

  test("is one by a double tap", async () => {
    const fields = pick(1);
    const before = await orders();

    const taps = await Promise.all([1, 2].map(() => dashboard.owner.send(`${PAGE}/sell`, fields)));

    expect(taps.map(({ status }) => status)).toEqual([303, 303]);
    expect(await orders()).toBe(before + 1);
  });

  test("of more than there is says so at the item, with what was typed", async () => {
    const before = await orders();

    const refused = await dashboard.owner.send(`${PAGE}/sell`, pick(70));

    expect(refused.status).toBe(409);
    expect(refused.field("/line_items/0/quantity")).toBe("70");
    expect(refused.html).toContain('class="fault"');
    expect(await orders()).toBe(before);
  });

  test.each([
    ["deleted", (id: string) => dashboard.shop.delete(`/v2/products/${id}`)],
    ["archived", (id: string) => dashboard.shop.put(`/v2/products/${id}`, { status: "archived" })],
  ])("names the item that was %s meanwhile, and keeps the others", async (_, end) => {
    const { shop, owner } = dashboard;
    const gone = await shop.post("/v2/products", { name: "Old lamp", price: "9.00" });
    const variant = gone.string("/variants/0/id");
    const lamp = {
      "/line_items/2/variant_id": variant,
      "/line_items/2/quantity": 1,
      [`product_of_${variant}`]: gone.id,
      [`name_of_${variant}`]: "Old lamp",
    };
    const before = await owner.send(`${PAGE}/find`, pick(2, lamp));
    expect((await end(gone.id)).status).toBe(200);

    const after = await owner.send(`${PAGE}/find`, pick(2, lamp));

    expect(before.field(`name_of_${variant}`)).toBe("Old lamp");
    expect(after.status).toBe(200);
    expect(after.text).toContain("No longer for sale, and removed: Old lamp.");
    expect(after.text).toMatch(
      /In this order Blue mug .* Items, before taxes and discounts USD 25\.00/,
    );
  });

  test("shows at most 50 items, and says so", async () => {
    const many = Array.from({ length: 60 }, (_, at) => [
      [`/line_items/${at}/variant_id`, `var_${at}`],
      [`/line_items/${at}/quantity`, "1"],
      [`product_of_var_${at}`, `prod_${at}`],
    ]).flat();

    const page = await dashboard.owner.send(`${PAGE}/find`, Object.fromEntries(many));

    expect(page.status).toBe(200);
    expect(page.text).toContain("Only the first 50 items are kept");
  });

  test("with a wrong number says so at its item, not at another", async () => {
    const soap = await dashboard.shop.get("/v2/products?q=soap");

    const { html } = await dashboard.owner.send(`${PAGE}/sell`, {
      form: "wrong",
      "/line_items/0/variant_id": mug.id,
      "/line_items/0/quantity": "",
      "/line_items/1/variant_id": soap.string("/data/0/variants/0/id"),
      "/line_items/1/quantity": "a few",
      [`product_of_${soap.string("/data/0/variants/0/id")}`]: soap.string("/data/0/id"),
    });

    const rows = html.split("<li ").filter((row) => row.includes('class="fault"'));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain("Soap");
    expect(rows[0]).toContain('value="a few"');
  });

  test("without an item is refused", async () => {
    const refused = await dashboard.owner.send(`${PAGE}/sell`, pick(0));

    expect(refused.status).toBe(422);
  });

  test("is not for a viewer", async () => {
    const viewer = await dashboard.join("viewer", "Esi");

    expect((await viewer.get(PAGE)).status).toBe(403);
    expect((await viewer.send(`${PAGE}/sell`, pick(1))).status).toBe(403);
  });
});
