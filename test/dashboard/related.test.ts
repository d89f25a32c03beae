// The products that are related to one, at the dashboard.

import { expect, test } from "bun:test";

import { openDashboard } from "./dashboard-shop.ts";

const HOME = "/dashboard/test/products";

test("related products are found, put in order and removed, and the product's page names them", async () => {
  await using dashboard = await openDashboard();
  const { owner, shop } = dashboard;
  const make = async (name: string) => (await shop.post("/v2/products", { name })).id;
  const [mug, pot, tray] = [await make("Mug"), await make("Pot"), await make("Tray")];
  const path = `${HOME}/${mug}/related`;
  const send = async (act: string, product: string) => {
    const version = (await owner.get(path)).field("version");
    return owner.sendAndFollow(`${path}/${act}`, { version, "/product": product });
  };
  const related = async () => (await shop.get(`/v2/products/${mug}`)).at("/related_product_ids");

  await send("add", pot);
  const added = await send("add", tray);
  await send("forward", tray);
  const inOrder = await related();
  const page = await owner.get(`${HOME}/${mug}`);
  await send("take", pot);

  expect(added.text).toContain("Added.");
  expect(inOrder).toEqual([tray, pot]);
  expect(page.text).toMatch(/You may also like\s+Tray\s+Pot/);
  expect(await related()).toEqual([tray]);
});
