// A shop may have several gateways: the first that takes an attempt gets it.

import { expect, test } from "bun:test";

import type { AskedOfGateway, CurrencyTerms } from "#payments/gateways/port.ts";

import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop } from "../support/shop.ts";
import { initialize, pass } from "./scripted-shop.ts";

/** A gateway that takes some currencies, by mobile money of one provider only. */
class PickyGateway extends ScriptedGateway {
  readonly #terms: { readonly currencies: readonly string[]; readonly provider?: string };

  override readonly id: string;

  constructor(
    id: string,
    terms: { readonly currencies: readonly string[]; readonly provider?: string },
  ) {
    super();
    this.id = id;
    this.#terms = terms;
  }

  override takes({ currency, provider }: AskedOfGateway): CurrencyTerms | null {
    const isOurs = provider === null || provider === (this.#terms.provider ?? provider);
    if (!this.#terms.currencies.includes(currency) || !isOurs) return null;
    return { multipleMinor: 1, minimumMinor: 100, maximumMinor: 100_000 };
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

test("an amount above the gateway's maximum is refused", async () => {
  const gateway = new PickyGateway("west", { currencies: ["GHS"] });
  await using shop = await openTestShop({ gateways: [gateway] });

  const most = await initialize(shop, { ...cedis, amount: 1000 });
  const more = await initialize(shop, { ...cedis, amount: 1000.01 });

  expect(most.status).toBe(201);
  expect([more.status, more.faults]).toEqual([422, ["#/amount amount_too_large"]]);
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
