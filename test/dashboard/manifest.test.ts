// The dashboard on a home screen.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

let dashboard: DashboardShop;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

test("the app has the shop's name and opens the dashboard", async () => {
  const { html } = await dashboard.owner.get("/dashboard");
  const address = /<link rel="manifest" href="([^"]*)"/.exec(html)?.[1] ?? "";

  const { status, headers, html: text } = await dashboard.stranger().get(address);

  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/manifest+json");
  expect(JSON.parse(text)).toMatchObject({
    name: "My shop",
    start_url: "/dashboard",
    scope: "/dashboard",
    display: "standalone",
  });
});

test("its pictures are files of the dashboard of the kind that it says", async () => {
  const { html: text } = await dashboard.stranger().get("/dashboard/app.webmanifest");
  const icons: { src: string; type: string; sizes: string }[] = JSON.parse(text).icons;

  expect(icons.map(({ sizes }) => sizes)).toEqual(["any", "512x512", "512x512"]);
  for (const { src, type } of icons) {
    const { status, headers } = await dashboard.stranger().get(src);
    expect([status, headers.get("content-type")]).toEqual([200, type]);
  }
});

test("the color above the pages tells the test shop from the live one", async () => {
  const colorOf = async (path: string) => {
    const { html } = await dashboard.owner.get(path);
    return /name="theme-color" content="([^"]*)"/.exec(html)?.[1];
  };

  expect(await colorOf("/dashboard")).toBe("#0a5a3a");
  expect(await colorOf("/dashboard/test")).toBe("#e9a21b");
});
