// The way in, in a real browser.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";
import { look } from "./look.ts";

let dashboard: DashboardShop;
let opened: OpenBrowser;

beforeAll(async () => {
  dashboard = await openDashboard();
  opened = await openBrowser();
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
});

test("a password can be read while it is typed", async () => {
  const visitor = dashboard.stranger();
  await using looked = await look(opened, {
    visitor,
    path: "/dashboard/enter",
    isFollowing: false,
  });
  const { page } = looked;
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("seven mugs");

  await page.getByRole("button", { name: "Show password" }).click();
  const shown = await password.getAttribute("type");
  await page.getByRole("button", { name: "Hide password" }).click();

  expect([shown, await password.getAttribute("type")]).toEqual(["text", "password"]);
});
