// The page of a recovery link over HTTP: what a GET answers and what its button does.

import { describe, expect, test } from "bun:test";

import { signToken } from "#sales/links/link-token.ts";

import { sharedScriptedShop } from "../payments/scripted-shop.ts";
import { change, DAY_MS, later, readCart } from "../sales/carts/basket.ts";
import { notSent } from "../support/scripted-gateway.ts";
import { type Answered, openTestShop, sharedShop } from "../support/shop.ts";
import { abandonedMugs, press, unpaidOrder } from "./abandoned-baskets.ts";

const shared = sharedShop({ asks: "nothing" });

describe("the link of an abandoned cart", () => {
  test("places no order when it is opened", async () => {
    const { cart, url } = await abandonedMugs(shared);
    await shared.announced();

    await fetch(url);
    await fetch(url, { method: "HEAD" });

    expect((await readCart(shared, cart)).at("/status")).toBe("abandoned");
    expect(await shared.announcedNames()).toEqual([]);
  });

  test("leads to one payment of one order, however often its button is pressed", async () => {
    const { cart, url } = await abandonedMugs(shared);
    const before = (await shared.get("/v2/orders?limit=100")).list("/data").length;

    const both = await Promise.all([press(url), press(url)]);
    const third = await press(url);

    const places = [...both, third].map(({ status, headers }) => [status, headers.get("location")]);
    expect(new Set(places.map(String)).size).toBe(1);
    expect(String(places[0])).toStartWith(`303,${shared.url}/test/pay/`);
    expect((await shared.get("/v2/orders?limit=100")).list("/data")).toHaveLength(before + 1);
    const order = (await readCart(shared, cart)).string("/order_id");
    const payments = await shared.get(`/v2/payments?order_id=${order}`);
    expect(payments.list("/data")).toHaveLength(1);
  });

  test("says so when the cart was emptied", async () => {
    const { cart, url } = await abandonedMugs(shared);
    await change(shared, cart, { line_items: [] });

    const answer = await press(url);

    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining("This cart is empty."),
    ]);
  });
});

describe("the link of an unpaid order", () => {
  test("says that a cancelled order can no longer be paid", async () => {
    const { order, url } = await unpaidOrder(shared);
    await shared.put(`/v2/orders/${order.id}/cancel`);

    const answers = await Promise.all([fetch(url), press(url)]);

    expect(answers.map(({ status }) => status)).toEqual([410, 410]);
    expect(await answers[0]?.text()).toContain(`Order #${order.number("/number")} was cancelled`);
  });
});

describe("with an external gateway", () => {
  const { shop, gateway } = sharedScriptedShop();

  async function numberOf(cart: Answered): Promise<number> {
    const id = (await readCart(shop, cart)).string("/order_id");
    return (await shop.get(`/v2/orders/${id}`)).number("/number");
  }

  test("a second press during a slow request to the gateway leads to the same page", async () => {
    const { url } = await abandonedMugs(shop);
    gateway.nextAnswer = async () => {
      // A slow gateway: the second press comes while it is asked.
      await Bun.sleep(200);
      return {
        kind: "redirect",
        url: "https://pay.example/slow",
        expiresAt: null,
        names: [],
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

  test("an unreachable gateway answers 503, and a later press continues with the same order", async () => {
    const { url } = await abandonedMugs(shop);
    const before = (await shop.get("/v2/orders?limit=100")).list("/data").length;
    gateway.nextAnswer = async () => notSent;

    const refused = await press(url);
    const again = await press(url);

    expect([refused.status, again.status]).toEqual([503, 303]);
    expect(await refused.text()).toContain("The payment could not be started.");
    expect((await shop.get("/v2/orders?limit=100")).list("/data")).toHaveLength(before + 1);
    expect(gateway.charges.size).toBe(1);
  });

  test("a customer who returns before the notice sees the order paid", async () => {
    const { cart, url } = await abandonedMugs(shop);
    await press(url);
    const payments = await shop.get("/v2/payments");
    gateway.pay(payments.string("/data/0/id"));
    shop.clock.advance(11_000);

    const [charge] = gateway.charges.values();
    const page = await fetch(String(charge?.attempt.returnUrl));

    expect(page.url).toStartWith(`${url}?payment=`);
    expect(await page.text()).toContain(`Order #${await numberOf(cart)} is paid`);
  });

  test("a payment in review is not followed by another one", async () => {
    const { url } = await abandonedMugs(shop);
    await press(url);
    gateway.pay((await shop.get("/v2/payments")).string("/data/0/id"), { amountMinor: 1 });
    shop.clock.advance(11_000);

    const again = await press(url);

    expect(again.status).toBe(409);
    expect(await again.text()).toContain("Your payment is being checked.");
    expect(gateway.charges.size).toBe(1);
  });
});

describe("a recovery link", () => {
  test("without a valid signature is not found", async () => {
    const { cart, url } = await abandonedMugs(shared);
    const altered = url.slice(0, -1) + (url.endsWith("A") ? "B" : "A");
    const forged = signToken(
      {
        purpose: "recovery link",
        subject: `cart_${cart.id.slice(5)}`,
        until: Number.MAX_SAFE_INTEGER,
      },
      "guessed",
    );

    const answers = await Promise.all(
      [altered, `${shared.url}/recover/x`, `${shared.url}/recover/${forged}`].flatMap((one) => [
        fetch(one),
        press(one),
      ]),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await readCart(shared, cart)).at("/status")).toBe("abandoned");
  });

  test("expires after a month", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { url } = await abandonedMugs(shop);
    await later(shop, 31 * DAY_MS);

    const answers = await Promise.all([fetch(url), press(url)]);

    expect(answers.map(({ status }) => status)).toEqual([410, 410]);
    expect(await answers[0]?.text()).toContain("This link has expired.");
  });

  test("of a deleted cart is gone", async () => {
    const { cart, url } = await abandonedMugs(shared);
    await shared.delete(`/v2/carts/${cart.id}`);

    expect((await fetch(url)).status).toBe(410);
  });

  test("is neither cached, framed nor sent as a referrer", async () => {
    const { url } = await abandonedMugs(shared);

    const { headers } = await fetch(url);

    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const policy = headers.get("content-security-policy");
    expect(policy).toStartWith("default-src 'none'; style-src 'sha256-");
    expect(policy).toContain(
      `; form-action ${new URL(url).host}/recover/ https:; frame-ancestors 'none'; sandbox allow-scripts allow-forms`,
    );
  });

  test("allows only GET, HEAD, POST and OPTIONS", async () => {
    const answer = await fetch(`${shared.url}/recover/x`, { method: "DELETE" });

    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  });
});
