// The shop's settings at the dashboard: changed by the role that may, each through its form.

import { describe, expect, test } from "bun:test";

import { type DashboardShop, openDashboard, sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const MINUTE_MS = 60_000;

/** Sends a form of a page of the test shop's settings with the page's own version. */
async function save(
  { owner }: DashboardShop,
  path: string,
  fields: Readonly<Record<string, string>>,
) {
  const page = await owner.get(`/dashboard/test/settings/${path}`);
  return owner.sendAndFollow(`/dashboard/test/settings/${path}/save`, {
    version: page.field("version"),
    ...fields,
  });
}

describe("the settings of the shop", () => {
  test("are changed where they are shown", async () => {
    const page = await save(dashboard, "shop", {
      "/name": "Akwaaba Crafts",
      "/currency": "ghs",
      "/timezone": "Africa/Accra",
      "/country": "gh",
      "/low_stock_threshold": "3",
      "/order_expiry_minutes": "",
      "/deposit_percent": "50",
      "/review_days": "5",
      "/limits/phone_codes_per_day": "50",
      "/recovery_url_template": "https://crafts.example/cart/{token}",
    });

    expect(page.text).toContain("Saved.");
    const store = await dashboard.shop.get("/v2/store");
    expect(store.body).toMatchObject({
      name: "Akwaaba Crafts",
      currency: "GHS",
      timezone: "Africa/Accra",
      country: "GH",
      low_stock_threshold: 3,
      order_expiry_minutes: null,
      deposit_percent: 50,
      review_days: 5,
      limits: { phone_codes_per_day: 50 },
      recovery_url_template: "https://crafts.example/cart/{token}",
    });
  });

  test("say what a country is where its name was typed", async () => {
    const page = await save(dashboard, "shop", { "/country": "Ghana" });

    expect(page.status).toBe(422);
    expect(page.text).toContain("two letters, such as GH");
  });

  test("that were changed meanwhile are not overwritten", async () => {
    const { owner, shop } = dashboard;
    const page = await owner.get("/dashboard/test/settings/shop");
    await shop.put("/v2/store", { name: "Changed elsewhere" });

    const refused = await owner.send("/dashboard/test/settings/shop/save", {
      version: page.field("version"),
      "/name": "Mine",
    });

    expect(refused.status).toBe(412);
    expect(refused.text).toContain("This was changed in the meantime.");
    expect(refused.field("/name")).toBe("Mine");
    expect((await shop.get("/v2/store")).string("/name")).toBe("Changed elsewhere");
  });

  test("that are wrong are said at their fields, all at once", async () => {
    const refused = await save(dashboard, "shop", {
      "/name": "Mine",
      "/country": "Ghana",
      "/review_days": "400",
    });

    expect(refused.status).toBe(422);
    expect(refused.html).toContain('aria-describedby="f-country-fault"');
    expect(refused.html).toContain('aria-describedby="f-review_days-fault"');
  });

  test("are no form for staff", async () => {
    const kofi = await dashboard.join("staff", "Kofi");

    const page = await kofi.get("/dashboard/test/settings");
    const sent = await kofi.send("/dashboard/test/settings/shop/save", { "/name": "Mine" });

    expect(page.html).not.toContain("/settings/shop");
    expect(sent.status).toBe(403);
  });
});

describe("a way to pay", () => {
  test("is offered with what customers must know", async () => {
    const page = await save(dashboard, "payments/mobile_money", {
      "/payment_methods/mobile_money/enabled": "true",
      "/payment_methods/mobile_money/storefront": "false",
      "/payment_methods/mobile_money/by": "hand",
      "/payment_methods/mobile_money/label": "MoMo",
      "/payment_methods/mobile_money/instructions": "Send to 024 000 0000",
      "/payment_methods/mobile_money/expires_minutes": "120",
    });

    expect(page.text).toContain("MoMo You confirm the payment · Send to 024 000 0000");
    const store = await dashboard.shop.get("/v2/store");
    expect(store.at("/payment_methods/mobile_money")).toEqual({
      enabled: true,
      by: "hand",
      label: "MoMo",
      instructions: "Send to 024 000 0000",
      expires_minutes: 120,
      storefront: false,
    });
  });

  test("that a provider is to take says so where no provider does", async () => {
    const { owner } = dashboard;
    const form = await owner.get("/dashboard/settings/payments/card");

    const page = await owner.sendAndFollow("/dashboard/settings/payments/card/save", {
      version: form.field("version"),
      "/payment_methods/card/by": "gateway",
    });

    expect(page.text).toContain("Card Through the payment provider No provider takes it");
    expect(page.text).toContain("Cash You confirm the payment Offered, but not in the web shop");
    expect(form.html).toContain('href="/guides/paystack"');
  });

  test("is in a live web shop once it says how it is paid, and not by being saved", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const key = await shop.createKey({ mode: "live" });
    await shop.createKey({ mode: "live", scopes: ["storefront"] });
    const warned = async () =>
      (
        await Promise.all(
          ["settings/payments", "keys"].map((path) => owner.get(`/dashboard/${path}`)),
        )
      ).map(({ text }) => text.includes("Customers cannot pay in your web shop yet"));
    const saved = async (instructions: string) => {
      const at = "/dashboard/settings/payments/bank_transfer";
      const form = await owner.get(at);
      const page = await owner.sendAndFollow(`${at}/save`, {
        version: form.field("version"),
        "/payment_methods/bank_transfer/enabled": "true",
        "/payment_methods/bank_transfer/storefront": "false",
        "/payment_methods/bank_transfer/label": "Transfer",
        "/payment_methods/bank_transfer/instructions": instructions,
      });
      const store = await shop.get("/v2/store", { key });
      return { page, isInWebShop: store.at("/payment_methods/bank_transfer/storefront") };
    };

    const before = await saved("");
    expect([before.isInWebShop, await warned()]).toEqual([false, [true, true]]);
    const after = await saved("GH12 3456 7890");
    expect([after.isInWebShop, await warned()]).toEqual([true, [false, false]]);
    const undone = await owner.sendAndFollow("/dashboard/settings/payments/bank_transfer/save", {
      form: after.page.field("form"),
      undo: after.page.field("undo"),
    });
    expect(undone.text).toContain("Customers cannot pay in your web shop yet");
    expect((await saved("GH12 3456 7890")).isInWebShop).toBe(true);
  });

  test("is not changed without the password after 15 minutes", async () => {
    await using dashboard = await openDashboard();
    dashboard.shop.clock.advance(16 * MINUTE_MS);

    const sent = await dashboard.owner.send("/dashboard/test/settings/payments/cash/save", {
      "/payment_methods/cash/enabled": "false",
    });

    expect(sent.text).toContain("Please enter your password again");
    const store = await dashboard.shop.get("/v2/store");
    expect(store.at("/payment_methods/cash/enabled")).toBe(true);
  });

  test.each(["shop/save", "taxes/terms"])("is not changed by the form of %s", async (form) => {
    await using dashboard = await openDashboard();
    dashboard.shop.clock.advance(16 * MINUTE_MS);

    await dashboard.owner.send(`/dashboard/test/settings/${form}`, {
      version: (await dashboard.shop.get("/v2/store")).number("/version"),
      "/payment_methods/bank_transfer/instructions": "To the account of a thief",
    });

    const store = await dashboard.shop.get("/v2/store");
    expect(store.text).not.toContain("thief");
  });

  test("that does not exist has no page", async () => {
    const page = await dashboard.owner.get("/dashboard/test/settings/payments/shells");

    expect(page.status).toBe(404);
  });
});

describe("taxes", () => {
  test("that the country publishes are taken as a whole", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const before = await owner.get("/dashboard/test/settings/taxes");
    expect(before.text).toContain("Choose the country of the shop");
    await shop.put("/v2/store", { country: "KE" });
    const page = await owner.get("/dashboard/test/settings/taxes");
    expect(page.text).toContain("Rates of Kenya as published");

    const after = await owner.sendAndFollow("/dashboard/test/settings/taxes/take", {
      form: page.field("form"),
      "/country": "KE",
    });

    expect(after.text).toContain("VAT 16 %, KE");
    expect(after.text).not.toContain("as published");
  });

  test("are added with a first day, and ended", async () => {
    const { owner, shop } = dashboard;
    await shop.put("/v2/store", { country: "GH" });
    const page = await owner.get("/dashboard/test/settings/taxes");
    await owner.send("/dashboard/test/settings/taxes/add", {
      form: page.field("form"),
      "/name": "VAT",
      "/rate": "15",
      "/country": "GH",
      "/valid_from": "2026-01-05",
    });
    const id = (await shop.get("/v2/tax-rates")).string("/data/0/id");
    const path = `/dashboard/test/settings/taxes/${id}/end`;

    const after = await owner.sendAndFollow(`${path}/sure`, {
      version: (await owner.get(path)).field("version"),
      "/valid_until": "2026-02-01",
    });

    expect(after.text).toContain("VAT 15 %, GH since 5 Jan · until 1 Feb");
  });

  test("are added for some goods in a part of the country", async () => {
    const { owner, shop } = dashboard;
    await shop.put("/v2/store", { country: "GH" });
    const page = await owner.get("/dashboard/test/settings/taxes");

    const after = await owner.sendAndFollow("/dashboard/test/settings/taxes/add", {
      form: page.field("form"),
      "/name": "Levy",
      "/rate": "2.5",
      "/country": "GH",
      "/valid_from": "",
      "/tax_class": "reduced",
      "/region": "",
      "/postal_prefix": "GA-1",
    });

    expect(after.text).toContain("Levy 2.5 %, GH GA-1…");
    const made = (await shop.get("/v2/tax-rates")).at("/data/0");
    expect(made).toMatchObject({ tax_class: "reduced", region: null, postal_prefix: "GA-1" });
  });

  test("are in the prices where the shop says so", async () => {
    const { owner, shop } = dashboard;
    const page = await owner.get("/dashboard/test/settings/taxes");

    await owner.send("/dashboard/test/settings/taxes/terms", [
      ["version", page.field("version")],
      ["/prices_include_tax", "false"],
      ["/prices_include_tax", "true"],
      ["/tax_id", "C0001234567"],
      ["/legal_name", ""],
    ]);

    const store = await shop.get("/v2/store");
    expect(store.body).toMatchObject({ prices_include_tax: true, tax_id: "C0001234567" });
  });
});

describe("shipping", () => {
  test("gets a zone with its countries and a price, which change and go", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const root = "/dashboard/test/settings/shipping";
    const form = (await owner.get(`${root}/zones/new`)).field("form");
    const fields = { form, "/name": "Near", "/places/0/country": "gh, TG" };
    const made = await owner.send(`${root}/zones/new/make`, fields);
    const zone = made.location.split("?")[0] ?? "";
    const page = await owner.get(zone);
    await owner.send(`${zone}/add`, {
      form: page.field("form"),
      "/zone_id": page.field("/zone_id"),
      "/kind": "flat",
      "/tiers/0/from": "0",
      "/tiers/0/amounts/0/currency": "USD",
      "/name": "By car",
      "/tiers/0/amounts/0/amount": "3.50",
    });
    expect((await owner.get(root)).text).toContain("By car USD 3.50");
    const rate = (await shop.get("/v2/shipping-rates")).string("/data/0/id");

    await owner.send(`${root}/rates/${rate}/save`, {
      version: (await owner.get(`${root}/rates/${rate}`)).field("version"),
      "/tiers/0/from": "0",
      "/tiers/0/amounts/0/currency": "USD",
      "/tiers/0/amounts/0/amount": "4.00",
      "/active": "true",
    });
    await owner.send(`${zone}/save`, {
      version: (await owner.get(zone)).field("version"),
      "/name": "Nearby",
      "/places/0/country": "GH",
    });

    expect((await owner.get(root)).text).toContain("Nearby By car USD 4.00 GH");
    await owner.send(`${root}/rates/${rate}/remove/sure`);
    const gone = await owner.sendAndFollow(`${zone}/remove/sure`);
    expect(gone.text).toContain("No delivery zones yet");
  });

  test("gets a place to fetch goods at", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const root = "/dashboard/test/settings/shipping";
    const form = (await owner.get(`${root}/pickup/new`)).field("form");

    const after = await owner.sendAndFollow(`${root}/pickup/new/make`, {
      form,
      "/name": "The shop",
      "/address/line1": "12 Oxford Street",
      "/address/city": "Accra",
      "/address/country": "GH",
      "/instructions": "",
    });

    expect(after.text).toContain("The shop 12 Oxford Street, Accra");
    const id = (await shop.get("/v2/pickup-locations")).string("/data/0/id");
    const page = await owner.get(`${root}/pickup/${id}`);
    const saved = await owner.sendAndFollow(`${root}/pickup/${id}/save`, {
      version: page.field("version"),
      "/name": "The workshop",
      "/address/line1": "12 Oxford Street",
      "/address/country": "GH",
      "/address/phone": page.field("/address/phone"),
      "/active": "false",
    });
    expect(saved.text).toContain("The workshop");
    const gone = await owner.sendAndFollow(`${root}/pickup/${id}/remove/sure`);
    expect(gone.text).toContain("No pickup places yet.");
  });
});

describe("a discount", () => {
  test.each([
    ["neither", "", ""],
    ["both", "10", "5"],
  ])("with %s of a percentage and an amount is refused in words", async (_, percent, amount) => {
    const page = await dashboard.owner.send("/dashboard/test/settings/discounts/new/make", {
      "/title": "Opening week",
      "/target": "order",
      "/percent": percent,
      "/amounts/0/currency": "USD",
      "/amounts/0/amount": amount,
      "/codes/0": "",
    });

    expect(page.status).toBe(422);
    expect(page.text).toContain("Enter a percentage or an amount, and not both.");
    expect(page.text).not.toContain("buy_get");
  });

  test("is made by percent with a code, gets more codes, and is archived and offered again", async () => {
    const { owner } = dashboard;
    const root = "/dashboard/test/settings/discounts";
    const made = await owner.send(`${root}/new/make`, {
      form: (await owner.get(`${root}/new`)).field("form"),
      "/title": "Ten",
      "/target": "order",
      "/percent": "10",
      "/amounts/0/currency": "USD",
      "/amounts/0/amount": "",
      "/codes/0": "TEN",
    });
    const path = made.location.split("?")[0] ?? "";
    expect((await owner.get(root)).text).toContain("10 % off the whole order · TEN");

    await owner.send(`${path}/codes`, {
      form: (await owner.get(path)).field("form"),
      "/count": "2",
      "/prefix": "S",
    });
    expect((await owner.get(root)).text).toContain("3 codes");
    const archive = async (archived: string) =>
      owner.sendAndFollow(`${path}/archive`, {
        version: (await owner.get(path)).field("version"),
        "/archived": archived,
      });

    expect((await archive("true")).text).toContain("Archived");
    expect((await archive("false")).text).toContain("On 10 % off the whole order");
  });

  test("is made by an amount and applies by itself", async () => {
    const { owner } = dashboard;
    const root = "/dashboard/test/settings/discounts";

    await owner.send(`${root}/new/make`, {
      form: (await owner.get(`${root}/new`)).field("form"),
      "/title": "Five off",
      "/target": "order",
      "/percent": "",
      "/amounts/0/currency": "USD",
      "/amounts/0/amount": "5",
      "/codes/0": "",
    });

    expect((await owner.get(root)).text).toContain("USD 5.00 off the whole order · automatic");
  });
});

test("what customers see of the shop is changed where it is shown", async () => {
  const look = {
    "/logo_url": "https://crafts.example/logo.png",
    "/brand_color": "#0b6b3a",
    "/locale": "en-GH",
    "/contact_email": "help@crafts.example",
    "/contact_phone": "+233302221234",
    "/website_url": "https://crafts.example/",
  };

  const page = await save(dashboard, "look", { ...look, "/support_line": "" });

  expect(page.text).toContain("Saved.");
  const { body } = await dashboard.shop.get("/v2/store");
  const fields = Object.entries(look).map(([name, value]) => [name.slice(1), value]);
  expect(body).toMatchObject({ ...Object.fromEntries(fields), support_line: null });
});
