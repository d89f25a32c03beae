// A customer comes back from the gateway's page, in a real browser without scripts.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { mugOrder, pay } from "../sandbox/paying.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { type OpenVisits, openVisits, type Visitor } from "./visitor.ts";

let visits: OpenVisits;

beforeAll(async () => {
  visits = await openVisits();
});

afterAll(async () => {
  await visits[Symbol.asyncDispose]();
});

/** A customer on the gateway's page, which pays one mug. */
async function openPage(shop: TestShop, width?: number) {
  await shop.put("/v2/store", {
    name: "Kanga & Sons",
    website_url: "https://kanga.example",
    brand_color: "#7a1fa2",
    contact_email: "hello@kanga.example",
  });
  const payment = await pay(shop, await mugOrder(shop));
  return visits.visit(payment.string("/authorization_url"), width);
}

describe.each([390, 1280])("at a width of %d", (width) => {
  test("who paid reads so, and goes on to the shop", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await using visitor = await openPage(shop, width);

    await visitor.pay();

    expect(visitor.page.url()).toStartWith(`${shop.url}/pay/return/`);
    for (const said of ["Kanga & Sons", "Paid", "USD 12.50", "#1001", "hello@kanga.example"]) {
      expect(await visitor.read()).toContain(said);
    }
    const onward = visitor.page.getByRole("link", { name: "Continue to Kanga & Sons" });
    expect(await onward.getAttribute("href")).toBe("https://kanga.example");
    expect(await isWithinSheet(visitor)).toBe(true);
    expect([await visitor.countOverflowing(), visitor.complaints]).toEqual([0, []]);
  });

  test("who left checks again, and goes back to the payment", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await using visitor = await openPage(shop, width);

    await visitor.page.getByRole("button", { name: "Leave pending" }).click();
    await visitor.page.getByRole("link", { name: "Check again" }).click();
    const shown = await visitor.read();
    await visitor.page.getByRole("link", { name: "Back to the payment" }).click();
    await visitor.pay();

    expect(shown).toContain("Not confirmed yet");
    expect(await visitor.read()).toContain("Paid");
    expect([await visitor.countOverflowing(), visitor.complaints]).toEqual([0, []]);
  });

  test("who cancelled reads that nothing was paid", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await using visitor = await openPage(shop, width);

    await visitor.page.getByRole("button", { name: "Cancel" }).click();

    expect(await visitor.read()).toContain("Not paid");
    expect([await visitor.countOverflowing(), visitor.complaints]).toEqual([0, []]);
  });
});

/** Whether the list of facts ends where the amount may end: a long reference does not widen the page. */
async function isWithinSheet({ page }: Visitor): Promise<boolean> {
  const [sheet, facts] = [page.locator("main"), page.locator("dl")];
  const [outer, inner] = [await sheet.boundingBox(), await facts.boundingBox()];
  if (outer === null || inner === null) return false;
  const [left, right] = [inner.x - outer.x, outer.x + outer.width - inner.x - inner.width];
  return Math.abs(left - right) < 1;
}
