// A shop may have several gateways: the first that takes an attempt gets it.

import { describe, expect, test } from "bun:test";

import { type GatewayMethod, gatewayMethods } from "#kernel/payment-method.ts";
import type {
  AskedOfGateway,
  AttemptFault,
  CurrencyTerms,
  GatewayAttempt,
} from "#payments/port/gateway.ts";

import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { openTestShop } from "../../support/shop.ts";
import { initialize, orderCounter, pass } from "../scripted-shop.ts";

interface Terms {
  readonly currencies: readonly string[];
  readonly methods?: readonly GatewayMethod[];
  readonly provider?: string;
  /** How the phones begin that can pay. */
  readonly phones?: string;
  readonly maximumMinor?: number;
}

/** A gateway that takes some currencies, by mobile money of one provider and of phones of one country only. */
class PickyGateway extends ScriptedGateway {
  readonly #terms: Terms;

  override readonly id: string;
  override readonly methods: readonly GatewayMethod[];

  constructor(id: string, terms: Terms) {
    super();
    this.id = id;
    this.methods = terms.methods ?? gatewayMethods;
    this.#terms = terms;
  }

  override takes({ currency, provider, phone }: AskedOfGateway): CurrencyTerms | null {
    const isOurs = provider === null || provider === (this.#terms.provider ?? provider);
    if (!this.#terms.currencies.includes(currency) || !isOurs) return null;
    if (typeof phone === "string" && !this.#hasPhone(phone)) return null;
    const { maximumMinor = 100_000 } = this.#terms;
    return { multipleMinor: 1, minimumMinor: 100, maximumMinor };
  }

  override validate({ phone }: GatewayAttempt): AttemptFault[] {
    if (phone === null || this.#hasPhone(phone)) return [];
    return [{ field: "phone", code: "phone_not_in_country", detail: `It is not of ${this.id}.` }];
  }

  #hasPhone(number: string): boolean {
    return number.startsWith(this.#terms.phones ?? "");
  }
}

const cedis = { amount: 5, currency: "GHS" };
const euros = { amount: 5, currency: "EUR" };
const phone = { method: "mobile_money", phone: "+233551234000" };

test("each currency is paid at the first gateway that takes it", async () => {
  const west = new PickyGateway("west", { currencies: ["GHS", "XOF"] });
  const north = new PickyGateway("north", { currencies: ["EUR", "XOF"] });
  await using shop = await openTestShop({ gateways: [west, north] });

  const paid = [
    await initialize(shop, cedis),
    await initialize(shop, euros),
    await initialize(shop, { amount: 500, currency: "XOF" }),
  ];

  expect(paid.map((one) => one.at("/gateway"))).toEqual(["west", "north", "west"]);
  expect([west.charges.size, north.charges.size]).toEqual([2, 1]);
});

test("a currency that no gateway takes is refused before any call", async () => {
  const west = new PickyGateway("west", { currencies: ["GHS"] });
  const north = new PickyGateway("north", { currencies: ["EUR"] });
  await using shop = await openTestShop({ gateways: [west, north] });

  const refused = await initialize(shop, { amount: 5, currency: "KES" });

  expect([refused.status, refused.faults]).toEqual([422, ["#/currency currency_not_supported"]]);
  expect([west.initiations, north.initiations]).toEqual([0, 0]);
});

test("a provider is paid at the gateway that knows it, and refused where none does", async () => {
  const first = new PickyGateway("first", { currencies: ["GHS"], provider: "mtn" });
  const second = new PickyGateway("second", { currencies: ["GHS"], provider: "telecel" });
  await using shop = await openTestShop({ gateways: [first, second] });

  const telecel = await initialize(shop, { ...cedis, ...phone, provider: "telecel" });
  const wave = await initialize(shop, { ...cedis, ...phone, provider: "wave" });

  expect(telecel.at("/gateway")).toBe("second");
  expect([wave.status, wave.faults]).toEqual([422, ["#/provider provider_not_supported"]]);
});

test("a phone is asked at the gateway of its country, and refused with the first one's reason where none has it", async () => {
  const ghana = new PickyGateway("ghana", { currencies: ["USD"], phones: "+233" });
  const kenya = new PickyGateway("kenya", { currencies: ["USD"], phones: "+254" });
  await using shop = await openTestShop({ gateways: [ghana, kenya] });
  const dollars = { amount: 5, currency: "USD", method: "mobile_money" };

  const taken = await initialize(shop, { ...dollars, phone: "+254710000000" });
  const refused = await initialize(shop, { ...dollars, phone: "+256772123456" });

  expect(taken.at("/gateway")).toBe("kenya");
  expect([refused.status, refused.faults]).toEqual([422, ["#/phone phone_not_in_country"]]);
  expect(refused.at("/errors/0/detail")).toBe("It is not of ghana.");
  expect([ghana.initiations, kenya.initiations]).toEqual([0, 1]);
});

test("an amount above the gateway's maximum is refused", async () => {
  const gateway = new PickyGateway("west", { currencies: ["GHS"] });
  await using shop = await openTestShop({ gateways: [gateway] });

  const most = await initialize(shop, { ...cedis, amount: 1000 });
  const more = await initialize(shop, { ...cedis, amount: 1000.01 });

  expect(most.status).toBe(201);
  expect([more.status, more.faults]).toEqual([422, ["#/amount amount_too_large"]]);
});

test("an amount is paid at the first gateway that takes it, and refused by the first one's bounds where none does", async () => {
  const small = new PickyGateway("small", { currencies: ["GHS"], maximumMinor: 20_000 });
  const large = new PickyGateway("large", { currencies: ["GHS"], maximumMinor: 50_000 });
  await using shop = await openTestShop({ gateways: [small, large] });

  const paid = [
    await initialize(shop, { ...cedis, amount: 200 }),
    await initialize(shop, { ...cedis, amount: 200.01 }),
  ];
  const refused = await initialize(shop, { ...cedis, amount: 500.01 });

  expect(paid.map((one) => one.at("/gateway"))).toEqual(["small", "large"]);
  expect([refused.status, refused.faults]).toEqual([422, ["#/amount amount_too_large"]]);
  expect([small.initiations, large.initiations]).toEqual([1, 1]);
});

test("a method is offered for an amount that only a later gateway takes", async () => {
  const small = new PickyGateway("small", { currencies: ["GHS"], maximumMinor: 20_000 });
  const large = new PickyGateway("large", { currencies: ["GHS"], maximumMinor: 50_000 });
  await using shop = await openTestShop({ gateways: [small, large] });

  const offered = async (amount: number) => {
    const listed = await shop.get(`/v2/payment-methods?currency=GHS&amount=${amount}`);
    return JSON.stringify(listed.at("/methods")).includes('"card"');
  };

  expect([await offered(300), await offered(600)]).toEqual([true, false]);
});

test("a retired gateway takes no new attempts, and settles those that it has", async () => {
  const old = new PickyGateway("old", { currencies: ["GHS"] });
  const next = new PickyGateway("next", { currencies: ["GHS"] });
  await using shop = await openTestShop({ gateways: [old, next] });
  const begun = await initialize(shop, cedis);
  old.standing = "retired";

  const later = await initialize(shop, cedis);
  old.pay(begun.id);
  await pass(shop, 15);

  expect([begun.at("/gateway"), later.at("/gateway")]).toEqual(["old", "next"]);
  expect((await shop.get(`/v2/payments/${begun.id}`)).at("/status")).toBe("succeeded");
});

test("a request that names a gateway is paid at it, whatever the order of the gateways", async () => {
  const west = new PickyGateway("west", { currencies: ["GHS"] });
  const north = new PickyGateway("north", { currencies: ["GHS"] });
  await using shop = await openTestShop({ gateways: [west, north] });

  const paid = await initialize(shop, { ...cedis, gateway: "north" });

  expect([paid.status, paid.at("/gateway")]).toEqual([201, "north"]);
  expect([west.initiations, north.initiations]).toEqual([0, 1]);
});

test("a gateway that the shop does not have is refused beside every other fault", async () => {
  await using shop = await openTestShop({
    gateways: [new PickyGateway("west", { currencies: ["GHS"] })],
  });

  const refused = await initialize(shop, { ...cedis, method: "mobile_money", gateway: "south" });

  expect([refused.status, refused.faults]).toEqual([
    422,
    ["#/gateway gateway_unknown", "#/phone required"],
  ]);
});

test("a retired gateway cannot be asked for", async () => {
  const old = new PickyGateway("old", { currencies: ["GHS"] });
  const next = new PickyGateway("next", { currencies: ["GHS"] });
  await using shop = await openTestShop({ gateways: [old, next] });
  old.standing = "retired";

  const refused = await initialize(shop, { ...cedis, gateway: "old" });

  expect([refused.status, refused.faults]).toEqual([422, ["#/gateway gateway_unknown"]]);
});

test("a gateway that is asked for never gives its payment to another one", async () => {
  const west = new PickyGateway("west", { currencies: ["GHS"] });
  const north = new PickyGateway("north", { currencies: ["EUR"] });
  await using shop = await openTestShop({ gateways: [west, north] });

  const refused = await initialize(shop, { ...euros, gateway: "west" });

  expect([refused.status, refused.faults]).toEqual([422, ["#/currency currency_not_supported"]]);
  expect(refused.at("/errors/0/detail")).toBe("west does not take EUR by gateway.");
});

test("a method that the gateway does not take is refused, though another one takes it", async () => {
  const pages = new PickyGateway("pages", { currencies: ["GHS"], methods: ["gateway"] });
  const phones = new PickyGateway("phones", { currencies: ["GHS"] });
  await using shop = await openTestShop({ gateways: [pages, phones] });

  const refused = await initialize(shop, { ...cedis, ...phone, gateway: "pages" });

  expect([refused.status, refused.faults]).toEqual([422, ["#/method method_not_supported"]]);
  expect(refused.at("/errors/0/detail")).toBe("pages does not take mobile_money.");
});

test("a refusal says of each gateway what it does not take", async () => {
  const pages = new PickyGateway("pages", { currencies: ["KES"], methods: ["gateway"] });
  const west = new PickyGateway("west", { currencies: ["GHS"] });
  const north = new PickyGateway("north", { currencies: ["KES"], provider: "mpesa" });
  await using shop = await openTestShop({ gateways: [pages, west, north] });

  const refused = await initialize(shop, {
    ...phone,
    amount: 5,
    currency: "KES",
    provider: "airtel",
  });

  expect(refused.faults).toEqual(["#/provider provider_not_supported"]);
  expect(refused.at("/errors/0/detail")).toBe(
    "pages does not take mobile_money. west does not take KES by mobile_money. north does not take KES from airtel.",
  );
});

test("a gateway cannot be asked for where the shop takes the method by hand", async () => {
  await using shop = await openTestShop({
    gateways: [new PickyGateway("west", { currencies: ["GHS"] })],
  });
  await shop.put("/v2/store", { payment_methods: { card: { by: "hand" } } });

  const refused = await initialize(shop, { ...cedis, method: "card", gateway: "west" });

  expect([refused.status, refused.faults]).toEqual([422, ["#/gateway conflicting_fields"]]);
});

test("another gateway for the same order is another attempt, and the same one is the same", async () => {
  const west = new PickyGateway("west", { currencies: ["USD"] });
  const north = new PickyGateway("north", { currencies: ["USD"] });
  await using shop = await openTestShop({ gateways: [west, north] });
  const order = await (await orderCounter(shop))();
  const pay = (gateway?: string) => initialize(shop, { order_id: order.id, gateway });

  const first = await pay();
  const again = await pay("west");
  const other = await pay("north");

  expect([first.status, again.status, other.status]).toEqual([201, 200, 201]);
  expect([again.id, other.at("/gateway")]).toEqual([first.id, "north"]);
});

test("the merchant chooses the gateway: a publishable key cannot", async () => {
  await using shop = await openTestShop({
    gateways: [new PickyGateway("west", { currencies: ["USD"] })],
  });
  const order = await (await orderCounter(shop))();
  const key = await shop.createKey({ scopes: ["storefront"] });

  const refused = await shop.post(
    "/v2/payments/initialize",
    { order_id: order.id, gateway: "west" },
    { key },
  );

  expect([refused.status, refused.faults]).toEqual([422, ["#/gateway not_allowed_for_public_key"]]);
});

describe("the operator", () => {
  const open = (order: string) => {
    const west = new PickyGateway("west", { currencies: ["GHS"] });
    const north = new PickyGateway("north", { currencies: ["GHS", "EUR"] });
    const south = new PickyGateway("south", { currencies: ["GHS", "EUR"] });
    const settings = { DUKA_TEST_GATEWAYS: order };
    return openTestShop({ gateways: [west, north, south], settings });
  };

  test("says which gateway is asked first, and the others follow in their own order", async () => {
    await using shop = await open("south");

    const first = await initialize(shop, cedis);
    const gateways = shop.duka.shops.test.gateways.map(({ id }) => id);

    expect(first.at("/gateway")).toBe("south");
    expect(gateways).toEqual(["south", "west", "north"]);
  });

  test.each([
    ["DUKA_TEST_GATEWAYS", "simulated,east", '"east" is no gateway of the test shop'],
    ["DUKA_GATEWAYS", "simulated", '"simulated" is no gateway of the live shop'],
  ])("cannot name in %s a gateway that the shop does not have", async (setting, order, detail) => {
    const started = await openTestShop({ settings: { [setting]: order } }).catch(messageOf);

    expect(started).toContain(`${setting}: ${detail}`);
  });
});

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
