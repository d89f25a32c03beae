// The URL of the test page.

import { describe, expect, test } from "bun:test";

import { sharedShop } from "../support/shop.ts";
import { mugOrder, pay } from "./paying.ts";

const shop = sharedShop();

test("a card without a token is paid on the page", async () => {
  const order = await mugOrder(shop);
  const payment = await shop.post("/v2/payments/initialize", { order_id: order, method: "card" });

  const body = new URLSearchParams({ action: "pay" });
  await fetch(payment.string("/authorization_url"), { method: "POST", body });

  const found = await shop.get(`/v2/payments/${payment.id}`);
  expect([found.at("/method"), found.at("/status")]).toEqual(["card", "succeeded"]);
});

describe("the URL", () => {
  test("cannot be guessed", async () => {
    const payment = await pay(shop, await mugOrder(shop));
    const address = payment.string("/authorization_url");
    const changed = address.slice(0, -1) + (address.endsWith("A") ? "B" : "A");

    const answers = await Promise.all(
      [changed, `${shop.url}/test/pay/x`, `${shop.url}/test/pay/${payment.id}`].map((one) =>
        fetch(one),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test("responds with headers that keep it private", async () => {
    const payment = await pay(shop, await mugOrder(shop));

    const { headers } = await fetch(payment.string("/authorization_url"));

    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toStartWith(
      "default-src 'none'; style-src 'sha",
    );
  });

  // prettier-ignore
  const forms: [what: string, init: RequestInit, status: number][] = [
    ["a button that is none", { method: "POST", body: new URLSearchParams({ action: "give" }) }, 400],
    ["a reason that is none", { method: "POST", body: new URLSearchParams({ action: "decline", failure_code: "mood" }) }, 400],
    ["an inherited name", { method: "POST", body: new URLSearchParams({ action: "constructor" }) }, 400],
    ["too much", { method: "POST", body: new URLSearchParams({ action: "pay", more: "x".repeat(5_000) }) }, 400],
    ["JSON", { method: "POST", body: '{"action":"pay"}', headers: { "Content-Type": "application/json" } }, 400],
    ["another method", { method: "DELETE" }, 405],
  ];

  test.each(forms)("refuses %s and changes nothing", async (_, init, status) => {
    const payment = await pay(shop, await mugOrder(shop));

    const answer = await fetch(payment.string("/authorization_url"), init);

    const found = await shop.get(`/v2/payments/${payment.string("/reference")}`);
    expect([answer.status, found.at("/status")]).toEqual([status, "requires_action"]);
  });
});

test("a live payment has no test page", async () => {
  const key = await shop.createKey({ mode: "live" });

  const response = await shop.post(
    "/v2/payments/initialize",
    { amount: 5, currency: "GHS", method: "card" },
    { key },
  );

  expect(response.body).toMatchObject({ gateway: null, authorization_url: null });
});
