// The one list of ways to pay: what it offers can be ordered and paid, and what it leaves out cannot.

import { describe, expect, test } from "bun:test";

import { type GatewayMethod, gatewayMethods } from "#kernel/payment-method.ts";
import type { AskedOfGateway, CurrencyTerms } from "#payments/port/gateway.ts";

import { mug } from "../../support/cast.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { type Answered, openTestShop, sharedShop } from "../../support/shop.ts";
import { initialize } from "../scripted-shop.ts";

interface Terms {
  readonly currencies: readonly string[];
  readonly methods?: readonly GatewayMethod[];
  readonly providers?: readonly string[];
  readonly maximumMinor?: number;
}

/** A gateway of some currencies, methods and providers, which counts what it is asked. */
class ChoosyGateway extends ScriptedGateway {
  override readonly id: string;
  override readonly methods: readonly GatewayMethod[];
  readonly #terms: Terms;
  asked = 0;

  constructor(id: string, terms: Terms) {
    super();
    this.id = id;
    this.methods = terms.methods ?? gatewayMethods;
    this.#terms = terms;
  }

  override takes({ currency, provider }: AskedOfGateway): CurrencyTerms | null {
    this.asked += 1;
    const { currencies, providers = ["mtn", "telecel"], maximumMinor = null } = this.#terms;
    const isOurs = provider === null || providers.includes(provider);
    if (!currencies.includes(currency) || !isOurs) return null;
    return { multipleMinor: 1, minimumMinor: 100, maximumMinor };
  }
}

const phones = () =>
  new ChoosyGateway("phones", { currencies: ["GHS"], methods: ["mobile_money"] });
const pages = () =>
  new ChoosyGateway("pages", { currencies: ["GHS", "EUR"], methods: ["card", "gateway"] });

/** The shop of most tests, whose gateways are these two. */
const shop = sharedShop({ gateways: [phones(), pages()] });

const offered = (list: Answered) => list.list("/methods").map((one) => Object(one).method);

const ways = async (query: string, where = shop, key?: string) =>
  where.get(`/v2/payment-methods?${query}`, key === undefined ? {} : { key });

describe("the ways to pay", () => {
  test("are those of the currency: what a gateway takes, and everything by hand", async () => {
    const cedis = await ways("currency=GHS");
    const euros = await ways("currency=EUR");
    const yen = await ways("currency=JPY");

    expect(offered(cedis)).toEqual([
      "mobile_money",
      "card",
      "gateway",
      "cash_on_delivery",
      "bank_transfer",
      "cash",
    ]);
    expect(offered(euros)).toEqual([
      "card",
      "gateway",
      "cash_on_delivery",
      "bank_transfer",
      "cash",
    ]);
    expect(offered(yen)).toEqual(["cash_on_delivery", "bank_transfer", "cash"]);
  });

  test("have the labels of the shop, who takes the money, and the providers of mobile money", async () => {
    await using own = await openTestShop({ gateways: [phones(), pages()] });
    await own.put("/v2/store", { payment_methods: { mobile_money: { label: "MoMo" } } });

    const list = await ways("currency=GHS", own);

    expect(list.at("/currency")).toBe("GHS");
    const untold = { instructions: null, accounts: [] };
    expect(list.list("/methods").slice(0, 2)).toEqual([
      {
        method: "mobile_money",
        label: "MoMo",
        by: "gateway",
        providers: ["mtn", "telecel"],
        ...untold,
      },
      { method: "card", label: "Card", by: "gateway", providers: [], ...untold },
    ]);
    expect(list.list("/methods").at(-1)).toEqual({
      method: "cash",
      label: "Cash",
      by: "hand",
      providers: [],
      ...untold,
    });
  });

  test("are those of the store's currency where none is asked for", async () => {
    await using own = await openTestShop({ gateways: [] });

    expect((await own.get("/v2/payment-methods")).at("/currency")).toBe("USD");
  });

  test("leave out what does not take the amount", async () => {
    const small = new ChoosyGateway("small", { currencies: ["GHS"], maximumMinor: 10_000 });
    await using own = await openTestShop({ gateways: [small] });

    const most = await ways("currency=GHS&amount=100.00", own);
    const more = await ways("currency=GHS&amount=100.01", own);

    expect(offered(most)).toContain("card");
    expect(offered(more)).toEqual(["cash_on_delivery", "bank_transfer", "cash"]);
  });

  test("ask no gateway for a method by hand", async () => {
    const gateway = new ChoosyGateway("phones", { currencies: [], methods: ["mobile_money"] });
    await using own = await openTestShop({ gateways: [gateway] });
    await own.put("/v2/store", { payment_methods: { mobile_money: { by: "hand" } } });
    gateway.asked = 0;

    const list = await ways("currency=JPY", own);

    expect(offered(list)).toContain("mobile_money");
    expect(list.at("/methods/0/providers")).toEqual([]);
    expect(gateway.asked).toBe(0);
  });

  test("have neither what is disabled nor, for a publishable key, what is not for the storefront", async () => {
    await using own = await openTestShop({ gateways: [pages()] });
    await own.put("/v2/store", { payment_methods: { card: { enabled: false } } });
    const key = await own.createKey({ scopes: ["storefront"] });

    const list = await ways("currency=GHS", own, key);

    expect(list.status).toBe(200);
    expect(offered(list)).toEqual(["gateway", "cash_on_delivery", "bank_transfer"]);
  });

  test("have nothing of a retired gateway", async () => {
    const old = pages();
    old.standing = "retired";
    await using own = await openTestShop({ gateways: [phones(), old] });
    await own.put("/v2/store", { payment_methods: { card: { by: "gateway" } } });

    expect(offered(await ways("currency=GHS", own))).not.toContain("card");
  });

  test.each([
    ["currency=GHS&amount=1.001", "amount amount_precision"],
    ["currency=JPY&amount=0.5", "amount amount_precision"],
    ["currency=XXX", "currency invalid_choice"],
    ["amount=-5", "amount invalid_format"],
  ])("are not told for %s", async (query, fault) => {
    const refused = await ways(query);

    expect([refused.status, refused.code, refused.faults]).toEqual([400, "query_invalid", [fault]]);
  });
});

describe("what the list offers and what the shop takes", () => {
  const currencies = ["GHS", "EUR", "JPY"];
  const all = ["mobile_money", "card", "gateway", "cash_on_delivery", "bank_transfer", "cash"];
  const prices = currencies.map((currency) => ({ currency, amount: 500 }));
  const inAll = {
    sku: undefined,
    price: undefined,
    stock: undefined,
    variants: [{ prices, stock: 10 }],
  };

  test.each(currencies)("agree when an order in %s is placed", async (currency) => {
    const { variantId } = await mug(shop, inAll);
    const list = offered(await ways(`currency=${currency}`));

    const placed: string[] = [];
    for (const method of all) {
      const order = await shop.post("/v2/orders", {
        line_items: [{ variant_id: variantId, quantity: 1 }],
        currency,
        payment_method: method,
      });
      if (order.status === 201) placed.push(method);
      else
        expect([order.code, order.at("/available_methods")]).toEqual([
          "payment_method_unavailable",
          list,
        ]);
    }

    expect(placed).toEqual(list);
  });

  test.each(currencies)("agree when a payment in %s is initialized", async (currency) => {
    const list = offered(await ways(`currency=${currency}&amount=500`));

    const begun: string[] = [];
    for (const method of all) {
      const phone = method === "mobile_money" ? "+233551234000" : null;
      const payment = await initialize(shop, { amount: 500, currency, method, phone });
      if (payment.status === 201) begun.push(method);
    }

    expect(begun).toEqual(list);
  });

  test("agree again after a start with other gateways", async () => {
    using folder = openScratchFolder();
    const first = await openTestShop({ folder, gateways: [pages()] });
    const { variantId } = await mug(first, inAll);
    const order = {
      line_items: [{ variant_id: variantId, quantity: 1 }],
      currency: "JPY",
      payment_method: "card",
    };
    const refused = await first.post("/v2/orders", order);
    const { key } = first;
    await first[Symbol.asyncDispose]();

    const yen = new ChoosyGateway("yen", { currencies: ["JPY"] });
    await using second = await openTestShop({ folder, key, gateways: [yen] });
    const placed = await second.post("/v2/orders", order);

    expect([refused.status, placed.status]).toEqual([409, 201]);
  });
});

describe("the gateways of a shop", () => {
  test("are told in the order in which they are asked, with what they take", async () => {
    const old = new ChoosyGateway("old", { currencies: ["XOF"], methods: ["card"] });
    old.standing = "retired";
    const builtIn = { kind: "built_in", label: null, url: null, version: null };
    await using own = await openTestShop({ gateways: [phones(), pages(), old] });

    const list = await own.get("/v2/gateways");

    expect(list.at("/gateways")).toEqual([
      {
        id: "phones",
        standing: "open",
        ...builtIn,
        takes: [{ method: "mobile_money", currencies: ["GHS"], providers: ["mtn", "telecel"] }],
      },
      {
        id: "pages",
        standing: "open",
        ...builtIn,
        takes: [
          { method: "card", currencies: ["EUR", "GHS"], providers: [] },
          { method: "gateway", currencies: ["EUR", "GHS"], providers: [] },
        ],
      },
      {
        id: "old",
        standing: "retired",
        ...builtIn,
        takes: [{ method: "card", currencies: ["XOF"], providers: [] }],
      },
    ]);
  });

  test("are not told to a publishable key, nor to a key that may not read the settings", async () => {
    const storefront = await shop.createKey({ scopes: ["storefront"] });
    const orders = await shop.createKey({ scopes: ["orders:read", "payments:read"] });

    const refused = [
      await shop.get("/v2/gateways", { key: storefront }),
      await shop.get("/v2/gateways", { key: orders }),
    ];

    expect(refused.map(({ status, code }) => [status, code])).toEqual([
      [403, "scope_missing"],
      [403, "scope_missing"],
    ]);
  });

  test("of live mode are none where none is set up", async () => {
    await using own = await openTestShop();
    const key = await own.createKey({ mode: "live" });

    expect((await own.get("/v2/gateways", { key })).body).toEqual({ gateways: [] });
  });
});
