// Orders that are ticked in a list, in a real browser.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";
import { look } from "./look.ts";

const path = "/dashboard/test/orders";

let dashboard: DashboardShop;
let opened: OpenBrowser;

beforeAll(async () => {
  dashboard = await openDashboard();
  opened = await openBrowser();
  for (const name of ["Kojo", "Esi", "Yaw"]) await place(name);
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
});

async function place(name: string): Promise<void> {
  const placed = await dashboard.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    customer: { name, email: `${name}@example.com` },
    payment_method: "cash_on_delivery",
  });
  expect(placed.status).toBe(201);
}

test("ticks stay when news come into the list, and the orders are marked together", async () => {
  await using looked = await look(opened, { visitor: dashboard.owner, path, width: 1280 });
  const { page } = looked;
  const send = page.getByRole("button", { name: "Mark as sent" });
  const isSeenBefore = await send.isVisible();

  await page.getByLabel("Choose #1001").check();
  await page.getByLabel("Choose #1002").check();
  await place("Naa");
  await page.getByRole("button", { name: "1 new order" }).click();
  await page.getByText("Naa").waitFor();
  await send.click();

  await page.getByText("Marked as sent.").waitFor();
  expect(isSeenBefore).toBe(false);
  expect(await page.locator(".row .num").allTextContents()).toEqual(["#1004", "#1003"]);
  expect(looked.faults).toEqual([]);
});

test("a phone has no boxes", async () => {
  await using looked = await look(opened, { visitor: dashboard.owner, path });

  expect(await looked.page.locator(".pick").first().isVisible()).toBe(false);
});

test("the slips of ticked orders are a sheet of paper each, and the ticks are there on the way back", async () => {
  for (const name of ["Kofi", "Adwoa", "Kwabena"]) await place(name);
  await using looked = await look(opened, { visitor: dashboard.owner, path, width: 1280 });
  const { page } = looked;
  const boxes = page.locator(".pick input");
  for (const index of [0, 2]) await boxes.nth(index).check();

  await page.getByRole("button", { name: "Print slips" }).click();
  await page.getByText("2 packing slips").waitFor();
  const paper = (await page.pdf({ format: "A5" })).toString("latin1");
  await page.goBack();
  await page.getByRole("button", { name: "Mark as sent" }).waitFor();

  expect(paper.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  expect(await page.locator(".pick input:checked").count()).toBe(2);
  expect(looked.faults).toEqual([]);
});
