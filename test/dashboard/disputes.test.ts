// Disputed payments: Home says that they wait, and their page until when they can be answered.

import { expect, test } from "bun:test";

import { orderCounter, pass } from "../payments/scripted-shop.ts";
import type { TestShop } from "../support/shop.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

/** An order that is paid by a card whose owner disputes the payment within seconds. */
async function disputedOrder(shop: TestShop): Promise<string> {
  const { id } = await (await orderCounter(shop))();
  const card = { method: "card", card_token: "pm_card_createDispute" };
  await shop.post("/v2/payments/initialize", { order_id: id, ...card });
  return id;
}

/** The page of an order while its payment is disputed, and once that is lost. */
async function pagesOfDispute({ shop, owner }: DashboardShop) {
  const id = await disputedOrder(shop);
  await pass(shop, 10);
  const disputed = await owner.get(`/dashboard/test/orders/${id}`);
  await pass(shop, 8 * 24 * 3_600);
  return { disputed, lost: await owner.get(`/dashboard/test/orders/${id}`) };
}

test("a disputed payment waits on Home, and its page leads to the order", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  const id = await disputedOrder(shop);
  await pass(shop, 10);

  const home = await owner.get("/dashboard/test");
  const page = await owner.get("/dashboard/test/disputes");

  expect(home.text).toContain("Disputed payment answer before 12 Jan");
  expect(page.text).toContain("Answer before 12 Jan");
  expect(page.html).toContain(`href="/dashboard/test/orders/${id}"`);
  expect(page.text).toContain(`#${(await shop.get(`/v2/orders/${id}`)).number("/number")}`);
});

test("an order says that its payment is disputed, and how that ended", async () => {
  await using dashboard = await openDashboard();

  const { disputed, lost } = await pagesOfDispute(dashboard);

  expect(disputed.text).toMatch(
    /The customer's bank asks for USD [\d.]+ back reported by the test gateway/,
  );
  expect(lost.text).toMatch(/The dispute over USD [\d.]+ was lost/);
});

test("an order says at its top what is to be done about a dispute until when", async () => {
  await using dashboard = await openDashboard();

  const { disputed, lost } = await pagesOfDispute(dashboard);

  const [top = ""] = disputed.text.split("Placed");
  expect(top).toMatch(/The customer's bank asks for USD [\d.]+ back\./);
  expect(top).toContain("Answer at the test gateway, in its own dashboard, before 12 Jan.");
  expect(lost.text).not.toContain("Answer at");
});

test("a dispute that is decided waits no more", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  await disputedOrder(shop);
  await pass(shop, 10);

  await pass(shop, 4 * 24 * 3_600);
  await owner.get("/dashboard/test");
  await pass(shop, 4 * 24 * 3_600);

  const page = await owner.get("/dashboard/test/disputes");
  expect(page.text).toContain("No disputed payments");
});
