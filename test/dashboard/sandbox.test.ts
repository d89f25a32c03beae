// The tools of the test shop at the dashboard: its clock, its inbox, its cards, and the reset.

import { describe, expect, test } from "bun:test";

import { endpoint, send, signed } from "../sandbox/sending.ts";
import { openDashboard, PASSWORD, sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const HOME = "/dashboard/test/sandbox";

describe("the clock", () => {
  test("is moved by an hour, and what was due is done", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const payment = await shop.post("/v2/payments/initialize", {
      amount: "20.00",
      currency: "GHS",
      method: "mobile_money",
      phone: "+233551234987",
      provider: "mtn",
    });
    const before = Date.parse((await shop.get("/v2/test/clock")).string("/now"));

    const page = await owner.sendAndFollow(`${HOME}/advance`, { form: "one", "/seconds": 3600 });

    expect(page.text).toContain("1 hour ahead of real time");
    expect(Date.parse((await shop.get("/v2/test/clock")).string("/now")) - before).toBe(3_600_000);
    const reference = payment.string("/reference");
    expect((await shop.get(`/v2/payments/${reference}`)).at("/status")).toBe("succeeded");
  });

  test("returns to real time", async () => {
    await using dashboard = await openDashboard();
    await dashboard.shop.post("/v2/test/clock/advance", { seconds: 90_000 });

    const page = await dashboard.owner.sendAndFollow(`${HOME}/back`, { form: "one" });

    expect(page.text).toContain("Real time");
  });

  test("tells what is due next, and moves to it", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const product = await shop.post("/v2/products", { name: "Mug", price: "9.00", stock: 1 });
    const order = await shop.post("/v2/orders", {
      line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }],
    });
    const shown = await owner.get(HOME);
    const due = (await shop.get("/v2/test/timers")).string("/data/0/due_at");
    const seconds = /value="(\d+)">\s*To what is due next/.exec(shown.html)?.[1] ?? "";

    await owner.send(`${HOME}/advance`, { form: "one", "/seconds": seconds });

    expect(shown.text).toContain(order.id);
    const now = (await shop.get("/v2/test/clock")).string("/now");
    expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(due));
  });
});

describe("the inbox", () => {
  test("shows a webhook as it was sent, and that its signature is valid", async () => {
    const { shop, owner } = dashboard;
    const { secret } = await endpoint(shop);
    await send(shop, "shop", { headers: signed(secret) });

    const { text } = await owner.get(`${HOME}/inbox`);

    expect(text).toContain("order.paid shop");
    expect(text).toContain("Signature valid");
    expect(text).toContain('"total": 12.50');
  });

  test("shows what is not JSON as it came, and is emptied", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const body = "<b>25.00</b>";
    await send(shop, "till", { body });

    const page = await owner.get(`${HOME}/inbox`);
    const emptied = await owner.sendAndFollow(`${HOME}/inbox/empty`, { form: "one" });

    expect(page.text).toContain(`Not signed ${body}`);
    expect(page.html).not.toContain(body);
    expect(emptied.text).toContain("No messages");
    expect(emptied.text).toContain("/hooks/test/inbox/<name>");
  });
});

test("the cards of test mode are told with what they stand for", async () => {
  const { text } = await dashboard.owner.get(`${HOME}/cards`);

  expect(text).toContain("pm_card_visa Paid at once.");
  expect(text).toContain("+233551234985");
});

test("the test shop is emptied once the password was given", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  await shop.post("/v2/products", { name: "Mug", price: "25.00" });
  shop.clock.advance(16 * 60_000);

  const asked = await owner.send(`${HOME}/reset/sure`, { form: "one" });
  const kept = (await shop.get("/v2/products")).list("/data");
  const page = await owner.sendAndFollow(`${HOME}/reset/sure`, {
    form: "one",
    "confirm-password": PASSWORD,
  });

  expect(asked.text).toContain("password");
  expect(kept).toHaveLength(1);
  expect(page.text).toContain("The test shop is empty.");
  expect((await shop.get("/v2/products")).list("/data")).toHaveLength(0);
});

test("the live shop has none of these tools", async () => {
  await using dashboard = await openDashboard();

  const home = await dashboard.owner.get("/dashboard");
  const page = await dashboard.owner.get("/dashboard/sandbox");

  expect(home.text).not.toContain("Test tools");
  expect(page.status).toBe(404);
});

test("staff see no tools of the test shop", async () => {
  await using dashboard = await openDashboard();
  const staff = await dashboard.join("staff", "Kofi");

  expect((await staff.get("/dashboard/test")).text).not.toContain("Test tools");
  expect((await staff.get(HOME)).status).toBe(403);
});
