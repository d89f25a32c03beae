// Customers at the dashboard: found, added, changed, and what the law asks for.

import { describe, expect, test } from "bun:test";

import type { Person } from "../support/cast.ts";
import { type DashboardShop, openDashboard, PASSWORD, sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const HOME = "/dashboard/test/customers";
const MINUTE_MS = 60_000;

/** Esi, who has a phone and an email, with a number where the shop is shared. */
async function esi({ shop }: DashboardShop): Promise<Person> {
  const number = shop.nextNumber();
  const person = {
    name: "Esi Owusu",
    phone: `+2335512${number === null ? "34987" : 35_000 + number}`,
    email: `esi${number ?? ""}@example.com`,
  };
  const made = await shop.post("/v2/customers", { ...person, tags: ["wholesale"] });
  return { id: made.id, ...person };
}

/** The id of an order of the customer with this phone. */
async function orderOf({ shop }: DashboardShop, phone: string): Promise<string> {
  const product = await shop.post("/v2/products", { name: "Mug", price: "12.50", stock: 10 });
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }],
    customer: { phone },
    payment_method: "cash_on_delivery",
  });
  return placed.string("/id");
}

describe("the list of customers", () => {
  test("says what will be here while there is none", async () => {
    await using dashboard = await openDashboard();

    const { text } = await dashboard.owner.get(HOME);

    expect(text).toContain("No customers yet");
  });

  test("finds a customer by their phone as people write it", async () => {
    await using dashboard = await openDashboard();
    const { id } = await esi(dashboard);
    await dashboard.shop.put("/v2/store", { country: "GH" });
    await dashboard.shop.post("/v2/customers", { name: "Kofi", email: "kofi@example.com" });

    const page = await dashboard.owner.get(`${HOME}?q=055+123+4987`);

    expect(page.text).toContain("Esi Owusu +233551234987 · esi@example.com No orders");
    expect(page.html).toContain(`href="${HOME}/${id}"`);
    expect(page.text).not.toContain("Kofi");
  });

  test("leads to the customers before the newest twenty", async () => {
    await using dashboard = await openDashboard();
    for (let index = 0; index < 21; index += 1) {
      await dashboard.shop.post("/v2/customers", {
        name: `Customer ${index}`,
        email: `customer-${index}@example.com`,
      });
    }

    const page = await dashboard.owner.get(HOME);
    const older = /rel="next" href="([^"]+)"/.exec(page.html)?.[1] ?? "";

    expect((await dashboard.owner.get(older)).text).toContain("Customer 0");
  });
});

describe("a new customer", () => {
  test("is added with a phone as people write it", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    await shop.put("/v2/store", { country: "GH" });
    const form = (await owner.get(`${HOME}/new`)).field("form");

    const page = await owner.sendAndFollow(`${HOME}/new/make`, {
      form,
      "/name": "Yaa",
      "/phone": "055 123 4987",
    });

    expect(page.text).toContain("Added.");
    expect(page.text).toContain("Yaa");
    expect((await shop.get("/v2/customers?q=Yaa")).string("/data/0/phone")).toBe("+233551234987");
  });

  test("without a phone and an email is refused at both fields, with the name kept", async () => {
    const form = (await dashboard.owner.get(`${HOME}/new`)).field("form");

    const page = await dashboard.owner.send(`${HOME}/new/make`, { form, "/name": "Yaa" });

    expect(page.status).toBe(422);
    expect(page.field("/name")).toBe("Yaa");
    expect(page.html).toContain('id="f-phone-fault"');
    expect(page.html).toContain('id="f-email-fault"');
  });

  test("with the email of another one is refused", async () => {
    const { email } = await esi(dashboard);
    const form = (await dashboard.owner.get(`${HOME}/new`)).field("form");

    const page = await dashboard.owner.send(`${HOME}/new/make`, {
      form,
      "/email": email.toUpperCase(),
    });

    expect(page.status).toBe(409);
    expect(page.text).toContain("Another customer has this email.");
  });
});

describe("a customer", () => {
  test("whose name is a link is greeted without it in what the shop sends", async () => {
    const { shop, owner } = dashboard;
    const names = ["Win at evil.example", "https://evil", "evil@example", "evil．example"];
    const pages: string[] = [];
    for (const [index, name] of names.entries()) {
      const phone = `+23355123600${index}`;
      const made = await shop.post("/v2/customers", {
        name,
        phone,
        email: `link${index}@example.com`,
      });
      const order = await orderOf(dashboard, phone);
      const customer = await owner.get(`${HOME}/${made.string("/id")}`);
      pages.push(customer.html, (await owner.get(`/dashboard/test/orders/${order}`)).html);
    }

    const sent = pages.flatMap((html) => html.match(/(?:wa\.me|mailto:)[^"]*/g) ?? []);
    expect(sent).toHaveLength(12);
    for (const address of sent) {
      expect(decodeURIComponent(address)).toMatch(/Hello,/);
      expect(decodeURIComponent(address)).not.toContain("evil");
    }
  });

  test("is shown with the ways to reach them and with their orders alone", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const { id } = await esi(dashboard);
    const order = await orderOf(dashboard, "+233551234987");
    const foreign = await orderOf(dashboard, "+233551230000");

    const page = await owner.get(`${HOME}/${id}`);

    expect(page.html).toContain('href="tel:+233551234987"');
    expect(page.html).toContain('href="https://wa.me/233551234987?');
    expect(page.html).toContain('href="mailto:esi@example.com?');
    expect(page.html).toContain(`href="/dashboard/test/orders/${order}"`);
    expect(page.html).not.toContain(foreign);
    expect((await shop.get(`/v2/customers/${id}`)).number("/orders_count")).toBe(1);
  });

  test("is shown with what they spent, in the currency of the shop first", async () => {
    const { shop, owner } = dashboard;
    const { id } = await esi(dashboard);
    const lines = [{ name: "Stool", unit_price: "20.00", quantity: 1 }];
    for (const currency of ["KES", "USD", "USD"]) {
      const paid = { method: "cash" };
      await shop.post("/v2/orders", { customer_id: id, line_items: lines, currency, paid });
    }
    const last = (await shop.get("/v2/orders?limit=1")).string("/data/0/id");
    await shop.post(`/v2/orders/${last}/refunds`, { amount: "5.50" });

    const { text } = await owner.get(`${HOME}/${id}`);

    expect(text).toContain("2 orders · 5.50 refunded Spent USD 34.50 1 order Spent KES 20.00");
  });

  test("is reached from an order of theirs", async () => {
    const { id, phone } = await esi(dashboard);
    const order = await orderOf(dashboard, phone);

    const page = await dashboard.owner.get(`/dashboard/test/orders/${order}`);

    expect(page.html).toContain(`href="${HOME}/${id}"`);
  });

  test("is changed, and changed back by Undo", async () => {
    const { shop, owner } = dashboard;
    const { id, email, phone } = await esi(dashboard);
    const form = await owner.get(`${HOME}/${id}`);

    const saved = await owner.sendAndFollow(`${HOME}/${id}/save`, {
      version: form.field("version"),
      "/name": "Esi Mensah",
      "/phone": "",
      "/email": email,
      "/tags/": "[]",
      "/tags/0": "family, friends",
      "/marketing_consent": "true",
    });
    const changed = await shop.get(`/v2/customers/${id}`);
    await owner.send(`${HOME}/${id}/save`, {
      form: saved.field("form"),
      undo: saved.field("undo"),
    });

    expect(saved.text).toContain("Saved.");
    expect(changed.at("/name")).toBe("Esi Mensah");
    expect(changed.at("/phone")).toBeNull();
    expect(changed.at("/tags")).toEqual(["family, friends"]);
    expect(changed.at("/marketing_consent")).toBe(true);
    const undone = await shop.get(`/v2/customers/${id}`);
    expect(undone.at("/name")).toBe("Esi Owusu");
    expect(undone.at("/phone")).toBe(phone);
    expect(undone.at("/tags")).toEqual(["wholesale"]);
    expect(undone.at("/marketing_consent")).toBe(false);
  });

  test("changed meanwhile is told so, with what was typed kept", async () => {
    const { shop, owner } = dashboard;
    const { id } = await esi(dashboard);
    const version = (await owner.get(`${HOME}/${id}`)).field("version");
    await shop.put(`/v2/customers/${id}`, { name: "Esi Boateng" });

    const page = await owner.send(`${HOME}/${id}/save`, { version, "/name": "Esi Mensah" });

    expect(page.status).toBe(412);
    expect(page.field("/name")).toBe("Esi Mensah");
    expect(page.text).toContain("Now: Esi Boateng");
  });

  test("is only looked at by a viewer", async () => {
    await using dashboard = await openDashboard();
    const { id } = await esi(dashboard);
    const viewer = await dashboard.join("viewer", "Kojo");

    const page = await viewer.get(`${HOME}/${id}`);
    const refused = await viewer.send(`${HOME}/${id}/save`, { "/name": "Someone" });

    expect(page.text).toContain("Esi Owusu");
    expect(page.text).toContain("esi@example.com");
    expect(page.html).not.toContain(`${HOME}/${id}/save`);
    expect(page.html).not.toContain(`${HOME}/${id}/erase`);
    expect(refused.status).toBe(403);
  });

  test("that has no such id is not found", async () => {
    const page = await dashboard.owner.get(`${HOME}/cus_00000000000000000000000000`);

    expect(page.status).toBe(404);
  });
});

describe("what is stored of a customer", () => {
  test("is saved as a file, which no cache keeps and the audit log knows of", async () => {
    const { shop, owner } = dashboard;
    const { id, email, phone } = await esi(dashboard);
    const order = await orderOf(dashboard, phone);

    const file = await owner.send(`${HOME}/${id}/export`);

    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${id}.json"`);
    expect(file.headers.get("cache-control")).toBe("no-store");
    const { customer, orders } = JSON.parse(file.html);
    expect(customer.email).toBe(email);
    expect(orders.map((one: { id: string }) => one.id)).toEqual([order]);
    const audit = await shop.get("/v2/audit?limit=1");
    expect(audit.string("/data/0/action")).toContain("export");
  });

  test("is erased after the password was given, and the orders stay", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const { id } = await esi(dashboard);
    const order = await orderOf(dashboard, "+233551234987");
    await shop.put(`/v2/orders/${order}/cancel`, {});
    const version = (await owner.get(`${HOME}/${id}/erase`)).field("version");
    shop.clock.advance(16 * MINUTE_MS);

    const asked = await owner.send(`${HOME}/${id}/erase/sure`, { version });
    const kept = await shop.get(`/v2/customers/${id}`);
    const page = await owner.sendAndFollow(`${HOME}/${id}/erase/sure`, {
      version,
      "confirm-password": PASSWORD,
    });

    expect(asked.text).toContain("password");
    expect(kept.at("/name")).toBe("Esi Owusu");
    expect(page.text).toContain("Erased customer");
    expect(page.text).toContain("The personal data is erased.");
    expect(page.html).toContain(order);
    expect(page.html).not.toContain("Esi");
  });

  test("stays while an order is open, and the page says so", async () => {
    const { owner } = dashboard;
    const { id, phone } = await esi(dashboard);
    await orderOf(dashboard, phone);
    const version = (await owner.get(`${HOME}/${id}/erase`)).field("version");

    const page = await owner.send(`${HOME}/${id}/erase/sure`, { version });

    expect(page.status).toBe(409);
    expect(page.text).toContain("A customer with open orders cannot be erased.");
  });

  test("is deleted with a customer who never ordered", async () => {
    const { shop, owner } = dashboard;
    const { id } = await esi(dashboard);
    const version = (await owner.get(`${HOME}/${id}/delete`)).field("version");

    const page = await owner.sendAndFollow(`${HOME}/${id}/delete/sure`, { version });

    expect(page.text).toContain("Removed.");
    expect((await shop.get(`/v2/customers/${id}`)).status).toBe(404);
  });
});
