// The address to which gateways return the customer of a payment: it polls, and leads on to where the merchant said.

import { describe, expect, test } from "bun:test";

import { getLinkTerms } from "#sales/links/link-terms.ts";
import { signToken } from "#sales/links/link-token.ts";

import {
  openScriptedShop,
  orderCounter,
  sharedScriptedShop,
  shortReads,
} from "../payments/scripted-shop.ts";
import { openRunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { notSent, ScriptedGateway } from "../support/scripted-gateway.ts";
import { type Answered, openTestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";

const THANKS = "https://shop.example/thanks?basket=7#top";

class LiveGateway extends ScriptedGateway {
  override readonly mode = "live";
}

const shared = sharedScriptedShop();
const { shop, gateway } = shared;

/** A payment on a page of the gateway, and the address to which that page returns its customer. */
async function openPayment(terms: Readonly<Record<string, unknown>> = {}, at = shared) {
  const body = { amount: 12.5, currency: "USD", method: "gateway", ...terms };
  const payment = await at.shop.post("/v2/payments/initialize", body);
  // By now the gateway may be polled.
  at.shop.clock.advance(11_000);
  return { payment, url: returnUrlAt(at.gateway, payment) };
}

function returnUrlAt({ charges }: ScriptedGateway, { id }: Answered): string {
  const charge = [...charges.values()].find(({ attempt }) => attempt.paymentId === id);
  return String(charge?.attempt.returnUrl);
}

/** Opens the address without following it. */
const open = (url: string, init: RequestInit = {}) => fetch(url, { redirect: "manual", ...init });

const placeOf = ({ headers }: Response) => headers.get("location");

const statusOf = async ({ id }: Answered) => {
  const listed = await shop.get("/v2/payments");
  return [listed.at("/data/0/id") === id, listed.at("/data/0/status")];
};

describe("the address to return to", () => {
  test("is this server's own, whether the merchant named one or not", async () => {
    const named = await openPayment({ return_url: THANKS });
    const unnamed = await openPayment();

    expect(named.url).toStartWith(`${shop.url}/pay/return/`);
    expect(unnamed.url).toStartWith(`${shop.url}/pay/return/`);
  });

  test("stays the same for one attempt", async () => {
    gateway.nextAnswer = () => Promise.resolve(notSent);
    const body = { amount: 12.5, currency: "USD", method: "gateway", return_url: THANKS };
    const headers = { "Idempotency-Key": "once" };
    await shop.post("/v2/payments/initialize", body, { headers });
    const [first] = gateway.charges.values();
    gateway.charges.clear();

    const again = await shop.post("/v2/payments/initialize", body, { headers });

    expect(returnUrlAt(gateway, again)).toBe(String(first?.attempt.returnUrl));
  });
});

describe("a customer who returns", () => {
  test("before the notice finds the payment made, and goes on to the merchant", async () => {
    const { payment, url } = await openPayment({ return_url: THANKS });
    gateway.pay(payment.id);

    const answer = await open(url);

    expect([answer.status, placeOf(answer)]).toEqual([
      303,
      `https://shop.example/thanks?basket=7&payment=${payment.id}&status=succeeded#top`,
    ]);
    expect(await statusOf(payment)).toEqual([true, "succeeded"]);
  });

  test("brings nothing that the gateway appended to the address", async () => {
    const { payment, url } = await openPayment({
      return_url: "https://shop.example/thanks",
    });

    const answer = await open(`${url}?trxref=x&reference=y&status=succeeded&return_url=//evil`);

    expect(placeOf(answer)).toBe(
      `https://shop.example/thanks?payment=${payment.id}&status=requires_action`,
    );
    expect(await statusOf(payment)).toEqual([true, "requires_action"]);
  });

  test("to an address of an earlier return brings only what is new", async () => {
    const { payment, url } = await openPayment({
      return_url: "https://shop.example/?q=a+b%20c&payment=pay_1&status=failed&paid",
    });

    expect(placeOf(await open(url))).toBe(
      `https://shop.example/?q=a+b%20c&paid&payment=${payment.id}&status=requires_action`,
    );
  });

  test("without having paid goes on with the hint that they cancelled", async () => {
    const { payment, url } = await openPayment({ return_url: THANKS });

    const answer = await open(`${url}?cancelled=1`);

    expect(placeOf(answer)).toContain("&status=cancelled#top");
    expect(await statusOf(payment)).toEqual([true, "requires_action"]);
  });

  test("by the way of those who cancelled, but paid, is told so", async () => {
    const { payment, url } = await openPayment({ return_url: THANKS });
    gateway.pay(payment.id);

    expect(placeOf(await open(`${url}?cancelled=1`))).toContain("&status=succeeded#top");
  });

  test("is not kept waiting by a gateway that does not answer, whose answer counts later", async () => {
    await using own = await openScriptedShop({ callTimes: shortReads });
    const { payment, url } = await openPayment({ return_url: THANKS }, own);
    own.gateway.pay(payment.id);
    const answered = Promise.withResolvers<void>();
    own.gateway.pause = () => answered.promise;

    const early = await open(url);
    answered.resolve();

    expect(placeOf(early)).toContain("&status=requires_action#top");
    await until(
      async () => (await own.shop.get("/v2/payments")).at("/data/0/status") === "succeeded",
      "The payment did not succeed by the poll that went on.",
    );
  });

  test("again and again makes one poll", async () => {
    const { payment, url } = await openPayment({ return_url: THANKS });

    await Promise.all([open(url), open(url), open(url)]);
    await open(url);

    expect(gateway.pollsOf(payment.id)).toBe(1);
  });

  test("in live mode is led on, too", async () => {
    const live = new LiveGateway();
    await using own = await openTestShop({ asks: "nothing", gateways: [live] });
    const key = await own.createKey({ mode: "live" });
    const body = { amount: 5, currency: "USD", method: "card", return_url: THANKS };
    const payment = await own.post("/v2/payments/initialize", body, { key });
    own.clock.advance(11_000);
    live.pay(payment.id);

    const answer = await open(returnUrlAt(live, payment));

    expect(placeOf(answer)).toContain(`payment=${payment.id}&status=succeeded`);
  });
});

describe("without an address of the merchant", () => {
  const pageOf = async (url: string) => {
    const answer = await open(url);
    return [answer.status, await answer.text()] as const;
  };

  test("a page says that the payment was made", async () => {
    await using own = await openScriptedShop();
    const { payment, url } = await openPayment({}, own);
    await own.shop.put("/v2/store", { name: "Kanga & Sons", website_url: "https://kanga.example" });
    own.gateway.pay(payment.id);

    const [status, text] = await pageOf(url);

    expect(status).toBe(200);
    for (const said of ["Kanga &amp; Sons", "Paid", "USD 12.50", "https://kanga.example"]) {
      expect(text).toContain(said);
    }
  });

  test("a page names the order", async () => {
    const order = await (await orderCounter(shop))();
    const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });

    const [, text] = await pageOf(returnUrlAt(gateway, payment));

    expect(text).toContain(`#${order.number("/number")}`);
    expect(text).not.toContain("ada@example.com");
  });

  test("a page says that nothing is known yet, and leads back to the payment", async () => {
    const { payment, url } = await openPayment();

    const [status, text] = await pageOf(url);

    expect(status).toBe(200);
    expect(text).toContain("Not confirmed yet");
    expect(text).toContain(payment.string("/authorization_url"));
  });

  test("a page says that the payment failed", async () => {
    // Of its own: in a shop with other attempts, a poll of one of those may take the outcome.
    await using own = await openScriptedShop();
    const { url } = await openPayment({}, own);
    own.gateway.nextOutcome = {
      state: "failed",
      failureCode: "insufficient_funds",
      gatewayCode: "told to the shop alone",
      names: [],
    };

    const [, text] = await pageOf(url);

    expect(text).toContain("Not paid");
    expect(text).not.toContain("told to the shop alone");
  });

  test("a page asks not to pay again while the shop checks the money", async () => {
    const { payment, url } = await openPayment();
    gateway.pay(payment.id, { amountMinor: 1 });

    const [, text] = await pageOf(url);

    expect(text).toContain("Being checked");
  });
});

describe("nothing happens where", () => {
  test.each<[string, RequestInit, number]>([
    ["only the headers are asked for", { method: "HEAD" }, 303],
    ["a browser prefetches", { headers: { "Sec-Purpose": "prefetch" } }, 204],
    ["a browser prerenders", { headers: { "Sec-Purpose": "prefetch;prerender" } }, 204],
    ["an older browser prefetches", { headers: { Purpose: "prefetch" } }, 204],
    ["the method is another one", { method: "POST" }, 405],
    ["the method asks what may be done", { method: "OPTIONS" }, 204],
  ])("%s", async (_, init, status) => {
    const { payment, url } = await openPayment({ return_url: THANKS });
    gateway.pay(payment.id);

    const answer = await open(url, init);

    expect([answer.status, gateway.pollsOf(payment.id)]).toEqual([status, 0]);
    expect(await statusOf(payment)).toEqual([true, "requires_action"]);
  });
});

test("no answer is kept anywhere, and none tells the next page where it came from", async () => {
  const named = await openPayment({ return_url: THANKS });
  const unnamed = await openPayment();

  const answers = await Promise.all([
    open(named.url),
    open(unnamed.url),
    open(`${shop.url}/pay/return/x`),
  ]);

  for (const { headers } of answers) {
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")).toStartWith("default-src 'none'");
  }
});

describe("a token", () => {
  test("that was changed, or is of another kind, opens nothing", async () => {
    const { payment, url } = await openPayment({ return_url: THANKS });
    const order = await (await orderCounter(shop))();
    const status = order.string("/status_url").split("/o/")[1] ?? "";
    const changed = url.slice(0, -1) + (url.endsWith("A") ? "B" : "A");

    const answers = await Promise.all(
      [
        changed,
        ...[status, payment.id, "x", "%2e%2e%2f"].map((one) => `${shop.url}/pay/return/${one}`),
      ].map((one) => open(one)),
    );

    expect(answers.map((one) => [one.status, placeOf(one)])).toEqual(
      answers.map(() => [404, null]),
    );
  });

  test("opens nothing else", async () => {
    const { url } = await openPayment({ return_url: THANKS });
    const token = url.split("/pay/return/")[1] ?? "";

    const answers = await Promise.all([
      open(`${shop.url}/o/${token}`),
      open(`${shop.url}/recover/${token}`),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  test("is worth nothing a month later", async () => {
    await using own = await openScriptedShop();
    const { url } = await openPayment({ return_url: THANKS }, own);
    own.shop.clock.advance(31 * 86_400_000);

    const answer = await open(url);

    expect([answer.status, placeOf(answer)]).toEqual([410, null]);
  });

  test("names a payment that is gone", async () => {
    const { url } = await openPayment();
    const { secret } = await getLinkTerms(shop.test.database.read);
    const forged = signToken(
      {
        purpose: "return link",
        subject: "pay_01h455vb4pex5vsknk084sn02q",
        until: shop.clock.now() + 1_000,
      },
      secret,
    );

    const answer = await open(url.replace(/[^/]+$/, forged));

    expect(answer.status).toBe(410);
  });
});

test("the log of a server has no token, whatever goes wrong", async () => {
  using folder = openScratchFolder();
  await using duka = await openRunningDuka({
    folder: folder.path,
    settings: { DUKA_LOG_LEVEL: "debug" },
  });
  const body = { amount: 5, currency: "USD", method: "gateway" };
  const made = await duka.request("POST", "/v2/payments/initialize", { body });
  const page = String(Reflect.get(Object(await made.json()), "authorization_url"));
  const left = await open(page, {
    method: "POST",
    body: new URLSearchParams({ action: "leave" }),
  });
  const url = String(placeOf(left));
  const token = url.slice(url.lastIndexOf("/") + 1, url.indexOf("?"));

  const answers = [await open(url), await open(`${url}x`), await open(url.replace("?", "A?"))];
  const { log } = await duka.end("SIGTERM");

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect(token).toHaveLength(83);
  expect(log).not.toContain(token.slice(-43));
});

test("a customer who returns from the payment of an order brings its token along, which tells no contact", async () => {
  const order = await (await orderCounter(shop))({ customer: { email: "ama@shop.test" } });
  const named = { order_id: order.id, amount: undefined, return_url: THANKS };
  const { url } = await openPayment(named);

  const back = new URL(placeOf(await open(url)) ?? "");
  const token = back.searchParams.get("order_token") ?? "";
  const seen = await shop.get("/v2/orders/by-link", { headers: { "Order-Token": token } });
  const owner = { headers: { "Order-Token": order.string("/order_token") } };

  expect(back.searchParams.get("basket")).toBe("7");
  expect([seen.at("/id"), seen.at("/email")]).toEqual([order.id, null]);
  expect((await shop.get("/v2/orders/by-link", owner)).at("/email")).toBe("ama@shop.test");
});
