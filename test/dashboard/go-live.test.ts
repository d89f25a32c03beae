// The page that tells the owner what the live shop and its server lack.

import { describe, expect, test } from "bun:test";

import { wasKeyUsed } from "#shop/keys/lookups.ts";

import { until } from "../support/until.ts";
import { openDashboard, sharedDashboard } from "./dashboard-shop.ts";

const PATH = "/dashboard/settings/go-live";

const dashboard = sharedDashboard();

describe("Go live", () => {
  test("tells what is to do, where it is done, and what is as it should be", async () => {
    const page = await dashboard.owner.get(PATH);

    expect(page.text).toContain("To do");
    expect(page.text).toContain(
      "Add your first product There is nothing to buy. Do it before customers come. Add a product",
    );
    expect(page.html).toContain('href="/dashboard/products/new"');
    expect(page.text).toContain("Files of the shop Its user alone can read the files of the shop.");
    expect(page.text).toMatch(/\d+ \/29 As it should be · \d+ to do/);
  });

  test("is about the live shop, also at the test shop's dashboard", async () => {
    const { html } = await dashboard.owner.get("/dashboard/test/settings/go-live");

    expect(html).toContain('href="/dashboard/products/new"');
    expect(html).not.toContain('href="/dashboard/test/products/new"');
  });

  test("is for owners, who find it on More and among the first steps", async () => {
    const staff = await dashboard.join("staff", "Kofi");

    expect((await staff.get(PATH)).status).toBe(403);
    expect((await staff.get("/dashboard/more")).text).not.toContain("Go live");
    expect((await dashboard.owner.get("/dashboard/more")).text).toContain("Go live");
    expect((await dashboard.owner.get("/dashboard")).html).toContain(`href="${PATH}"`);
  });

  test("is where the person is, and not the settings above it", async () => {
    const { html } = await dashboard.owner.get(PATH);

    expect([...html.matchAll(/href="([^"]+)"\s+aria-current="page"/g)].map(([, to]) => to)).toEqual(
      [PATH],
    );
  });

  test("says what is broken first", async () => {
    await using own = await openDashboard();
    const key = await own.shop.createKey({ mode: "live", scopes: ["webhooks:read"] });
    await own.shop.get("/v2/webhooks", { key });
    await until(() => wasKeyUsed(own.shop.live.database.read), "the use was not saved");

    const { text } = await own.owner.get(PATH);

    expect(text).toContain("1 is broken");
    expect(text).toContain("Broken broken Public address Live keys are used");
  });
});
