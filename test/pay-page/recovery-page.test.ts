// The page of ours that a recovery link leads to: what it answers, and what its button does.

import { describe, expect, test } from "bun:test";

import { signToken } from "#sales/recovery/recovery.ts";

import { openTill } from "../payments/till.ts";
import { change, DAY_MS, later, look } from "../sales/carts/basket.ts";
import { openTestShop } from "../support/shop.ts";
import { leftMugs, leftOrder, press } from "./left-baskets.ts";

describe("somebody who left a cart", () => {
  test("orders nothing by looking", async () => {
    await using shop = await openTestShop();
    const { cart, url } = await leftMugs(shop);
    await shop.announced();

    await fetch(url);
    await fetch(url, { method: "HEAD" });

    expect((await look(shop, cart)).at("/status")).toBe("abandoned");
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("may press twice and is led to one payment of one order", async () => {
    await using shop = await openTestShop();
    const { url } = await leftMugs(shop);

    const both = await Promise.all([press(url), press(url)]);
    const third = await press(url);

    const places = [...both, third].map(({ status, headers }) => [status, headers.get("location")]);
    expect(new Set(places.map(String)).size).toBe(1);
    expect(String(places[0])).toStartWith(`303,${shop.url}/test/pay/`);
    expect((await shop.get("/v2/orders")).list("/data")).toHaveLength(1);
    expect((await shop.get("/v2/payments")).list("/data")).toHaveLength(1);
  });

  test("finds an emptied cart empty", async () => {
    await using shop = await openTestShop();
    const { cart, url } = await leftMugs(shop);
    await change(shop, cart, { line_items: [] });

    const answer = await press(url);

    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining("There is nothing in this cart."),
    ]);
  });
});

describe("somebody who left an order", () => {
  test("cannot pay what was cancelled", async () => {
    await using shop = await openTestShop();
    const { order, url } = await leftOrder(shop);
    await shop.put(`/v2/orders/${order.id}/cancel`);

    const answers = await Promise.all([fetch(url), press(url)]);

    expect(answers.map(({ status }) => status)).toEqual([410, 410]);
    expect(await answers[0]?.text()).toContain("Order #1001 was cancelled");
  });
});

describe("with a gateway of the world", () => {
  test("a second press while the gateway is slow leads to the same page", async () => {
    const { shop: till, gateway } = await openTill();
    await using shop = till;
    const { url } = await leftMugs(shop);
    gateway.nextAnswer = async () => {
      await Bun.sleep(200);
      return {
        kind: "redirect",
        url: "https://pay.example/slow",
        expiresAt: null,
        gatewayId: null,
      };
    };

    const first = press(url);
    const second = press(url);

    const places = (await Promise.all([first, second])).map(({ headers }) =>
      headers.get("location"),
    );
    expect(places).toEqual(["https://pay.example/slow", "https://pay.example/slow"]);
    expect(gateway.charges.size).toBe(1);
  });

  test("who finds it away is told so, and goes on with the same order later", async () => {
    const { shop: till, gateway } = await openTill();
    await using shop = till;
    const { url } = await leftMugs(shop);
    gateway.nextAnswer = () => Promise.resolve({ kind: "not_sent" });

    const refused = await press(url);
    const again = await press(url);

    expect([refused.status, again.status]).toEqual([503, 303]);
    expect(await refused.text()).toContain("The payment could not be started.");
    expect((await shop.get("/v2/orders")).list("/data")).toHaveLength(1);
    expect(gateway.charges.size).toBe(1);
  });

  test("a payer who comes back before the notice sees the order paid", async () => {
    const { shop: till, gateway } = await openTill();
    await using shop = till;
    const { url } = await leftMugs(shop);
    await press(url);
    const payments = await shop.get("/v2/payments");
    gateway.pay(payments.string("/data/0/id"));
    shop.clock.advance(11_000);

    const page = await fetch(url);

    expect(await page.text()).toContain("Order #1001 is paid");
    expect([...gateway.charges.values()].map(({ attempt }) => attempt.returnUrl)).toEqual([url]);
  });

  test("nobody is asked again while their money is being checked", async () => {
    const { shop: till, gateway } = await openTill();
    await using shop = till;
    const { url } = await leftMugs(shop);
    await press(url);
    gateway.pay((await shop.get("/v2/payments")).string("/data/0/id"), { amountMinor: 1 });
    shop.clock.advance(11_000);

    const again = await press(url);

    expect(again.status).toBe(409);
    expect(await again.text()).toContain("Your payment is being checked.");
    expect(gateway.charges.size).toBe(1);
  });
});

describe("a link", () => {
  test("that nobody signed leads nowhere", async () => {
    await using shop = await openTestShop();
    const { cart, url } = await leftMugs(shop);
    const bent = url.slice(0, -1) + (url.endsWith("A") ? "B" : "A");
    const own = signToken(`cart_${cart.id.slice(5)}`, Number.MAX_SAFE_INTEGER, "guessed");

    const answers = await Promise.all(
      [bent, `${shop.url}/recover/x`, `${shop.url}/recover/${own}`].flatMap((one) => [
        fetch(one),
        press(one),
      ]),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await look(shop, cart)).at("/status")).toBe("abandoned");
  });

  test("runs out after a month", async () => {
    await using shop = await openTestShop();
    const { url } = await leftMugs(shop);
    await later(shop, 31 * DAY_MS);

    const answers = await Promise.all([fetch(url), press(url)]);

    expect(answers.map(({ status }) => status)).toEqual([410, 410]);
    expect(await answers[0]?.text()).toContain("This link has run out.");
  });

  test("to a cart that was thrown away has run out", async () => {
    await using shop = await openTestShop();
    const { cart, url } = await leftMugs(shop);
    await shop.delete(`/v2/carts/${cart.id}`);

    expect((await fetch(url)).status).toBe(410);
  });

  test("is answered with headers that keep it to itself", async () => {
    await using shop = await openTestShop();
    const { url } = await leftMugs(shop);

    const { headers } = await fetch(url);

    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self' https:;/,
    );
  });

  test("takes no other method", async () => {
    await using shop = await openTestShop();

    const answer = await fetch(`${shop.url}/recover/x`, { method: "DELETE" });

    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  });
});
