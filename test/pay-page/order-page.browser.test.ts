// The page of an order's link in a real browser with scripts disabled.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { of, place, reread } from "../sales/orders/counter.ts";
import { tax } from "../sales/pricing/priced-shop.ts";
import { kanga, mug } from "../support/cast.ts";
import { seenOrder } from "../support/seen-order.ts";
import { openTestShop } from "../support/shop.ts";
import { type OpenVisits, openVisits } from "./visitor.ts";

let visits: OpenVisits;

beforeAll(async () => {
  visits = await openVisits();
});

afterAll(async () => {
  await visits[Symbol.asyncDispose]();
});

describe("the customer of an order", () => {
  test("pays by the link, comes back to it, and sees the order prepared", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await place(shop, [of(await mug(shop), 2)]);
    await using visitor = await visits.visit(order.string("/status_url"));

    const before = await visitor.read();
    await visitor.continueToPayment();
    await visitor.pay();

    expect(before).toContain("Not paid yet");
    expect(before).toContain("USD 25.00");
    expect(visitor.page.url()).toStartWith(order.string("/status_url"));
    expect(await visitor.read()).toContain("Being prepared");
    expect(await visitor.page.getByRole("button").count()).toBe(0);
    expect((await reread(shop, order)).at("/payment_status")).toBe("paid");
    expect(visitor.complaints).toEqual([]);
  });

  test("types a code for mobile money without leaving the page", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await place(shop, [of(await mug(shop))], { payment_method: "mobile_money" });
    await using visitor = await visits.visit(order.string("/status_url"));

    const isChosen = await visitor.page.getByLabel("Mobile money").isChecked();
    await visitor.page.getByLabel("Phone number").fill("+233 55 123 4985");
    await visitor.page.getByLabel("Network").selectOption("mtn");
    await visitor.continueToPayment();
    await visitor.page.getByLabel("Code", { exact: true }).fill("123456");
    await visitor.page.getByRole("button", { name: "Send the code" }).click();

    expect(isChosen).toBe(true);
    expect(await visitor.read()).toContain("Being prepared");
    expect(visitor.complaints).toEqual([]);
  });

  test("may pay again after a declined payment", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const order = await place(shop, [of(await mug(shop))]);
    await using visitor = await visits.visit(order.string("/status_url"));
    await visitor.continueToPayment();
    await visitor.page.getByRole("button", { name: "Decline" }).click();

    const declined = await visitor.read();
    await visitor.continueToPayment();
    await visitor.pay();

    expect(declined).toContain("Your last payment did not go through.");
    expect((await reread(shop, order)).at("/payment_status")).toBe("paid");
  });
});

describe("the page", () => {
  test("fits a phone whatever it is told to show, and names each of its parts", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const long = `<b>${"Ceramic".repeat(12)}</b>`;
    const goods = [of(await mug(shop, { name: long })), of(await kanga(shop))];
    const order = await place(shop, goods, {
      customer: { email: `${"a".repeat(60)}@example.com`, name: long },
      shipping_address: { line1: long, city: "Accra", country: "GH" },
      paid: { method: "bank_transfer" },
    });
    const tracking = { carrier: "DHL", number: long, url: "https://dhl.example/JD01" };
    await shop.put(`/v2/orders/${order.id}/fulfill`, { tracking });
    await using visitor = await visits.visit(order.string("/status_url"));
    const { page } = visitor;

    const overflowing = await page
      .locator("main, main *")
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().right > 390).length);

    expect(overflowing).toBe(0);
    expect(await page.locator("b").count()).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await page.getByRole("list", { name: "Progress" }).getByRole("listitem").count()).toBe(
      3,
    );
    const link = page.getByRole("link", { name: "Track it with DHL" });
    expect(await link.getAttribute("href")).toBe("https://dhl.example/JD01");
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
  });

  test("keeps numbers in place beside names and amounts that are written from the right", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.put("/v2/store", { locale: "he-IL", country: "EG" });
    await tax(shop, "EG", { rates: [{ name: "ضريبة", rate: "14" }] });
    const order = await place(shop, [of(await mug(shop))], {
      shipping_address: { line1: "شارع 26", city: "القاهرة", country: "EG" },
      paid: { method: "bank_transfer" },
    });
    await shop.put(`/v2/orders/${order.id}/fulfill`, {
      tracking: { carrier: "أرامكس", number: "123-456" },
    });
    await using visitor = await visits.visit(order.string("/status_url"));
    const seen = (selector: string, ...parts: readonly string[]) =>
      seenOrder(visitor.page, selector, parts);

    expect(await seen("dt", "ضريبة", "14", "%")).toEqual(["ضريبة", "14", "%"]);
    expect(await seen(".number", "أرامكس", "123", "456")).toEqual(["أرامكس", "123", "456"]);
    // In Hebrew a day is read from the right.
    expect(await seen(".way-of li", "5", "בינו", "2026")).toEqual(["2026", "בינו", "5"]);
  });
});
