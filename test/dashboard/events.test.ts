// The log of events at the dashboard.

import { expect, test } from "bun:test";

import { openDashboard } from "./dashboard-shop.ts";

const PATH = "/dashboard/test/events";

/** The names of the events on the page, in its order. */
function namesOn(html: string): string[] {
  return [...html.matchAll(/<summary> <span>([^<]+)<\/span>/g)].map(([, name = ""]) => name);
}

test("the newest event comes first, with every digit as programs are sent it", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  const product = await shop.post("/v2/products", { name: "Mug", price: "12.50" });
  await shop.put(`/v2/products/${product.id}`, { name: "Large mug" });

  const { html, text } = await owner.get(PATH);

  expect(namesOn(html)).toEqual(["product.updated", "product.created"]);
  expect(text).toContain('"amount": 12.50,');
});

test("older events are reached page by page, each once", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  for (let index = 1; index <= 45; index += 1) {
    await shop.post("/v2/customers", { email: `${index}@example.com` });
  }

  const found: string[] = [];
  for (let path = PATH; path !== "";) {
    const { html, text } = await owner.get(path);
    found.push(...[...text.matchAll(/"sequence": (\d+)/g)].map(([, sequence = ""]) => sequence));
    path = /rel="next" href="([^"]+)"/.exec(html)?.[1] ?? "";
  }

  const all = Array.from({ length: 45 }, (_, index) => String(45 - index));
  expect(found).toEqual(all);
});

test("a log without events says what will be in it", async () => {
  await using dashboard = await openDashboard();

  expect((await dashboard.owner.get(PATH)).text).toContain("No events yet");
});
