// A customer chooses the delivery of an abandoned cart in a real browser with scripts disabled, on a phone and on a
// wide screen.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { discount, tax } from "../sales/pricing/priced-shop.ts";
import { openTestShop } from "../support/shop.ts";
import { abandonedCup, delivering } from "./delivery-shop.ts";
import { type OpenVisits, openVisits } from "./visitor.ts";

let visits: OpenVisits;

beforeAll(async () => {
  visits = await openVisits();
});

afterAll(async () => {
  await visits[Symbol.asyncDispose]();
});

describe.each([390, 1280])("on a screen of %i pixels the customer", (width) => {
  test("picks the delivery, sees the total, and pays exactly that", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 15 }] });
    const offered = await delivering(shop);
    await discount(shop, { title: "Summer sale", codes: ["SAVE10"] });
    const { url } = await abandonedCup(shop, offered, { discount_codes: ["SAVE10"] });
    await using visitor = await visits.visit(url, width);

    const waysBefore = await visitor.page.getByLabel("Pay online").count();
    await visitor.page.getByLabel("Rider").check();
    await visitor.page.getByRole("button", { name: "Continue" }).click();
    const amount = await visitor.page.locator(".amount").innerText();
    const overflowing = await visitor.countOverflowing();
    await visitor.continueToPayment();
    const atGateway = await visitor.page.locator(".amount").innerText();
    await visitor.pay();

    expect(waysBefore).toBe(0);
    expect([amount, atGateway]).toEqual(["USD 26.45", "USD 26.45"]);
    expect(overflowing).toBe(0);
    expect(await visitor.page.getByRole("heading").innerText()).toBe("Order #1001 is paid");
    expect((await shop.get("/v2/orders")).at("/data/0/total_minor")).toBe(2645);
    expect(visitor.complaints).toEqual([]);
  });

  test("types an address, changes the delivery, and sees every new total", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const offered = await delivering(shop);
    const { url } = await abandonedCup(shop, offered, { shipping_address: null });
    await using visitor = await visits.visit(url, width);
    const { page } = visitor;

    const overflowing = await visitor.countOverflowing();
    await page.getByLabel("Street").fill("1 High Street");
    await page.getByLabel("Town").fill("Accra");
    await page.getByRole("button", { name: "Show the delivery options" }).click();
    await page.getByLabel("Rider").check();
    await page.getByRole("button", { name: "Continue" }).click();
    const first = await page.locator(".amount").innerText();
    await page.getByText("Change the delivery").click();
    const isKept = await page.getByLabel("Rider").isChecked();
    await page.getByLabel("Bus").check();
    await page.getByRole("button", { name: "Show the new total" }).click();
    const second = await page.locator(".amount").innerText();

    expect(overflowing).toBe(0);
    expect([first, second, isKept]).toEqual(["USD 25.00", "USD 22.50", true]);
    expect(visitor.complaints).toEqual([]);
  });

  test("who types an address from the right reads it from the right", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const offered = await delivering(shop);
    const { url } = await abandonedCup(shop, offered, { shipping_address: null });
    await using visitor = await visits.visit(url, width);
    const street = visitor.page.getByLabel("Street");
    const direction = () =>
      street.evaluate((field) => ({ isFromRight: field.matches(":dir(rtl)") }));

    const before = await direction();
    await street.fill("شارع 26 (مدخل 2)");

    expect([before, await direction()]).toEqual([{ isFromRight: false }, { isFromRight: true }]);
  });

  test("who leaves the delivery out stays on the page", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { url } = await abandonedCup(shop, await delivering(shop));
    await using visitor = await visits.visit(url, width);

    await visitor.page.getByRole("button", { name: "Continue" }).click();

    expect(visitor.page.url()).toBe(url);
    expect(await visitor.page.locator("input[name=shipping]:invalid").count()).toBe(3);
  });

  test("who opens the link again in place of paying finds the order with its delivery", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const offered = await delivering(shop);
    const { url } = await abandonedCup(shop, offered, { shipping: { rate_id: offered.rider } });
    await using visitor = await visits.visit(url, width);

    await visitor.continueToPayment();
    await visitor.page.goto(url);

    expect(await visitor.read()).toContain("Order #1001");
    expect(await visitor.read()).toContain("Rider");
    expect(await visitor.page.locator(".amount").innerText()).toBe("USD 25.00");
  });
});
