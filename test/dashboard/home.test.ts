// Home: what was taken, what waits, what was last; and the first steps of a shop.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { giveEmail } from "../alerts/alert-shop.ts";
import { openEndpoint, sicken } from "../messaging/webhooks/endpoints.ts";
import { MORNING_MS } from "../support/shop.ts";
import { type DashboardShop, openDashboard, type Visitor } from "./dashboard-shop.ts";

const DAY_MS = 24 * 3_600_000;

/** A counter sale of so many mugs at 10.00, at the shop's time now. */
async function sell({ shop }: DashboardShop, quantity: number): Promise<void> {
  const sold = await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity }],
    channel: "pos",
    paid: { method: "cash" },
    fulfilled: true,
  });
  expect(sold.status).toBe(201);
}

/** Lets time pass; the owner looks in meanwhile, so that the session goes on. */
async function wait({ shop, owner }: DashboardShop, milliseconds: number): Promise<void> {
  shop.clock.advance(milliseconds / 2);
  await owner.get("/dashboard/test");
  shop.clock.advance(milliseconds / 2);
}

async function homeOf(visitor: Visitor): Promise<string> {
  return (await visitor.get("/dashboard/test")).text;
}

describe("what was taken", () => {
  test("is the sum of today, with the change against the same weekday by this time", async () => {
    await using dashboard = await openDashboard();
    await sell(dashboard, 2);
    await wait(dashboard, 7 * DAY_MS);
    await sell(dashboard, 3);
    dashboard.shop.clock.advance(3_600_000);

    const text = await homeOf(dashboard.owner);

    expect(text).toContain("USD 30.00");
    expect(text).toContain("▲ 50 % on last Monday by this time");
    expect(text).toContain("1 order, 1 paid");
  });

  test("is not compared with sales of last week that came later in the day", async () => {
    await using dashboard = await openDashboard();
    dashboard.shop.clock.advance(3 * 3_600_000);
    await sell(dashboard, 2);
    await wait(dashboard, 7 * DAY_MS - 3 * 3_600_000);
    await sell(dashboard, 3);

    expect(await homeOf(dashboard.owner)).toContain("nothing last Monday by this time");
  });

  test.each([
    {
      what: "a sale of the same hour counts",
      sold: "2026-03-02T13:00:00Z",
      now: "2026-03-09T12:30:00Z",
      told: "▲ 50 %",
    },
    {
      what: "one of the day before does not",
      sold: "2026-03-01T15:30:00Z",
      now: "2026-03-09T03:00:00Z",
      told: "nothing",
    },
  ])("where the clocks changed since last week, $what", async ({ sold, now, told }) => {
    await using dashboard = await openDashboard();
    const { shop } = dashboard;
    await shop.put("/v2/store", { timezone: "America/St_Johns" });
    const waitUntil = (moment: string) => shop.clock.advance(Date.parse(moment) - shop.clock.now());
    waitUntil(sold);
    await sell(dashboard, 2);
    waitUntil(now);
    await sell(dashboard, 3);

    const text = await homeOf(await dashboard.join("owner", "Kofi"));

    expect(text).toMatch(new RegExp(`${told}( on)? last Monday by this time`));
  });

  test("is told at midnight, too, when the day has only begun", async () => {
    await using dashboard = await openDashboard();
    await sell(dashboard, 2);
    await wait(dashboard, DAY_MS - (MORNING_MS % DAY_MS));

    expect(await homeOf(dashboard.owner)).toContain("USD 0.00 0 orders, 0 paid");
  });

  test("stands by the hour in a table, too", async () => {
    await using dashboard = await openDashboard();
    await sell(dashboard, 2);

    const text = await homeOf(dashboard.owner);

    expect(text).toContain("As a table Hour today last Monday 8:00 20.00 0.00");
  });

  test("has no chart where today and last week took nothing", async () => {
    await using dashboard = await openDashboard();
    await dashboard.shop.post("/v2/orders", {
      line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
      payment_method: "bank_transfer",
    });

    const { html, text } = await dashboard.owner.get("/dashboard/test");

    expect(text).toContain("USD 0.00 1 order, 0 paid");
    expect(html).not.toContain('<svg class="chart"');
  });
});

describe("in a shop with three weeks of sales", () => {
  let dashboard: DashboardShop;

  beforeAll(async () => {
    dashboard = await openDashboard();
    await dashboard.shop.post("/v2/test/seed", {});
  });
  afterAll(() => dashboard[Symbol.asyncDispose]());

  test("the day of the shop is the heading", async () => {
    const { html } = await dashboard.owner.get("/dashboard/test");
    const day = new Intl.DateTimeFormat("en-GB", {
      weekday: "long",
      day: "numeric",
      month: "long",
      timeZone: "UTC",
    });

    expect(html).toContain(`<h1>${day.format(MORNING_MS).replace(",", "")}</h1>`);
  });

  test("each line of what waits leads to its list", async () => {
    const { html, text } = await dashboard.owner.get("/dashboard/test");
    const waiting = await dashboard.shop.get("/v2/waiting");

    expect(text).toContain(`${waiting.number("/to_pack/count")} To pack oldest from`);
    expect(text).toContain(`${waiting.number("/payments_in_review/count")} Payment to review`);
    expect(text).toContain(`Running low ${waiting.string("/low_stock/names/0")}`);
    expect(text).toContain("Left at checkout USD");
    const todo = /<ul class="todo">.*?<\/ul>/s.exec(html)?.[0] ?? "";
    expect([...todo.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      "/dashboard/test/orders?show=pack",
      "/dashboard/test/orders?show=all&amp;payment=review",
      "/dashboard/test/stock?show=low",
      "/dashboard/test/carts",
    ]);
  });

  test("the six latest orders lead to themselves", async () => {
    const { html } = await dashboard.owner.get("/dashboard/test");
    const latest = await dashboard.shop.get("/v2/orders?limit=6");

    const rows = [...html.matchAll(/class="row" href="([^"]*)"/g)].map(([, href]) => href);
    expect(rows).toEqual(
      [0, 1, 2, 3, 4, 5].map((row) => `/dashboard/test/orders/${latest.string(`/data/${row}/id`)}`),
    );
  });

  test("the way to the orders says how many are to be packed", async () => {
    const { text } = await dashboard.owner.get("/dashboard/test/orders");
    const waiting = await dashboard.shop.get("/v2/waiting");

    expect(text).toContain(`Orders ${waiting.number("/to_pack/count")} to pack`);
  });

  test("staff are not shown the first steps, which are the owner's", async () => {
    const staff = await dashboard.join("staff", "Kofi");

    const text = await homeOf(staff);

    expect(text).toContain("To pack");
    expect(text).not.toContain("Getting started");
  });
});

test("a webhook that fails is told to the owner, and not to staff", async () => {
  await using dashboard = await openDashboard();
  const staff = await dashboard.join("staff", "Kofi");
  await sell(dashboard, 1);
  await sicken(dashboard.shop, await openEndpoint(dashboard.shop));

  const [own, seen] = [await homeOf(dashboard.owner), await homeOf(staff)];

  expect(own).toContain("1 Failing webhook");
  expect(seen).toContain("Waiting for you");
  expect(seen).not.toContain("Webhook");
});

test("who asks too much in a minute is told to wait", async () => {
  await using dashboard = await openDashboard();
  let page = await dashboard.owner.get("/dashboard/test");
  for (let asked = 0; asked < 600 && page.status === 200; asked += 1) {
    page = await dashboard.owner.get("/dashboard/test");
  }

  expect(page.status).toBe(429);
  expect(page.text).toContain("Too many requests");
});

describe("the first steps", () => {
  test("stand alone in a shop without an order", async () => {
    await using dashboard = await openDashboard();

    const text = await homeOf(dashboard.owner);

    expect(text).toContain("Getting started");
    expect(text).toContain("Fill with samples");
    expect(text).not.toContain("Waiting for you");
    expect(text).not.toContain("USD");
  });

  test("are not for staff, who see that there is no order yet", async () => {
    await using dashboard = await openDashboard();

    const text = await homeOf(await dashboard.join("staff", "Kofi"));

    expect(text).toContain("No orders yet");
    expect(text).not.toContain("Getting started");
  });

  test("tick themselves as the shop gets a name, a country and a product", async () => {
    await using dashboard = await openDashboard();
    const stepsDone = async () => {
      const { html } = await dashboard.owner.get("/dashboard/test");
      return [...html.matchAll(/<li class="done">.*?<strong>(.*?)<\/strong>/gs)].map(
        ([, title]) => title,
      );
    };
    const before = await stepsDone();

    await dashboard.shop.put("/v2/store", { name: "Akwaaba Crafts", country: "GH" });
    await dashboard.shop.post("/v2/products", { name: "Mug", price: "10.00" });

    expect(before).toEqual([
      "Open the dashboard",
      "Choose how you get paid",
      "Say what customers must tell you",
      "Say what sending costs",
    ]);
    expect(await stepsDone()).toEqual([
      "Open the dashboard",
      "Name the shop and choose its currency",
      "Choose the country of the shop",
      "Add your first product",
      "Choose how you get paid",
      "Say what customers must tell you",
    ]);
  });

  test("the test shop is filled with samples by a button", async () => {
    await using dashboard = await openDashboard();
    const { owner } = dashboard;
    const form = (await owner.get("/dashboard/test")).field("form");

    const { text } = await owner.sendAndFollow("/dashboard/test/seed", { form });

    expect(text).toContain("The shop is filled with samples.");
    expect(text).toContain("Latest orders");
  });

  test("go when all are done", async () => {
    await using dashboard = await openDashboard();
    const { shop } = dashboard;
    const contact_email = "hello@akwaaba.example";
    await shop.put("/v2/store", { name: "Akwaaba Crafts", country: "GH", contact_email });
    await giveEmail(shop, dashboard.owner, "ama@akwaaba.example");
    await shop.post("/v2/pickup-locations", {
      name: "Shop",
      address: { line1: "High Street 1", city: "Accra", country: "GH" },
    });
    await shop.post("/v2/tax-rates", { name: "VAT", country: "GH", rate: "15" });
    const images = [{ url: "https://akwaaba.example/mug.jpg" }];
    await shop.post("/v2/products", { name: "Mug", price: "10.00", images });
    const before = await homeOf(dashboard.owner);
    await sell(dashboard, 1);

    expect(before).toContain("1 step to go");
    expect(await homeOf(dashboard.owner)).not.toContain("Getting started");
  });
});
