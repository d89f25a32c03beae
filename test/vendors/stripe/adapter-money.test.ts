// Amounts between the shop and Stripe: nothing is rounded, and what one of them cannot say is refused.

import { describe, expect, test } from "bun:test";

import { type CurrencyCode, currencyCodes, exponentOf, isCurrency } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";
import { currencyTerms, toMinor, toUnits } from "#payments/gateways/stripe/money.ts";

import { callTerms, onPage, openStripeGateway } from "./adapter.ts";

const currencies = currencyCodes.filter((code) => isCurrency(code));
const taken = currencies.filter((code) => currencyTerms(code) !== null);

/** The docs of the vendor, Zero-decimal currencies, and Special cases. */
const wholeUnits = "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" ");
const threeDigits = "BHD JOD KWD OMR TND".split(" ");

/** How many digits Stripe's amounts have. */
function digitsAtStripe(code: CurrencyCode): number {
  if (wholeUnits.includes(code)) return 0;
  return threeDigits.includes(code) ? 3 : 2;
}

test.each<[CurrencyCode, string, number]>([
  ["EUR", "24.50", 2450],
  ["XOF", "1000", 1000],
  ["XAF", "1000", 1000],
  ["UGX", "1000", 100_000],
  ["ISK", "5", 500],
  ["RWF", "700", 700],
  ["JPY", "500", 500],
  ["KWD", "12.340", 12_340],
  ["MGA", "1500.00", 1500],
  ["KES", "3.00", 300],
  ["NGN", "50.00", 5000],
  ["HUF", "175.00", 17_500],
  ["TWD", "800.45", 80_045],
])("%s %s is %p at Stripe, and back", (currency, text, units) => {
  const amountMinor = toMinor(units, currency) ?? 0;

  expect(formatAmount(amountMinor, currency)).toBe(text);
  expect(toUnits(amountMinor, currency)).toBe(units);
});

test.each<[CurrencyCode, number]>([
  ["MGA", 150],
  ["KWD", 12_345],
  ["BHD", 1],
])("%s has no such amount at Stripe: %p minor units", (currency, amountMinor) => {
  expect(toUnits(amountMinor, currency)).toBeNull();
  expect(amountMinor % (currencyTerms(currency)?.multipleMinor ?? 1)).not.toBe(0);
});

test.each<[CurrencyCode, number]>([
  ["UGX", 12_345],
  ["ISK", 1],
  ["KWD", 12_345],
])("an amount of Stripe's that the shop cannot say is not rounded: %s %p", (currency, units) => {
  expect(toMinor(units, currency)).toBeNull();
});

test.each(taken)("an amount of %s is worth as much at Stripe, and comes back the same", (code) => {
  const { multipleMinor } = currencyTerms(code) ?? { multipleMinor: 1 };
  const scale = 10 ** exponentOf(code);
  const scaleAtStripe = 10 ** digitsAtStripe(code);

  const faults = [1, 2, 7, 99, 12_345, 999_999].filter((times) => {
    const amountMinor = times * multipleMinor;
    const units = toUnits(amountMinor, code) ?? Number.NaN;
    const isWorthAsMuch = units * scale === amountMinor * scaleAtStripe;
    return !isWorthAsMuch || toMinor(units, code) !== amountMinor;
  });

  expect(faults).toEqual([]);
});

describe("the bounds of a currency", () => {
  test.each<[CurrencyCode, number, number]>([
    ["EUR", 50, 99_999_999],
    ["GBP", 30, 99_999_999],
    ["JPY", 50, 99_999_999],
    ["UGX", 1, 999_999],
    ["KWD", 10, 99_999_990],
    ["MGA", 100, 9_999_999_900],
    ["IDR", 1, 999_999_999_999],
  ])("%s begins at %p and ends at %p minor units", (currency, minimumMinor, maximumMinor) => {
    expect(currencyTerms(currency)).toMatchObject({ minimumMinor, maximumMinor });
  });

  test.each(taken)("of %s are amounts that Stripe can be asked for", (code) => {
    const { minimumMinor = 0.5, maximumMinor = null } = currencyTerms(code) ?? {};

    expect(toUnits(minimumMinor, code)).toBeGreaterThan(0);
    expect(toUnits(maximumMinor ?? 0.5, code)).toBeGreaterThan(0);
  });

  test.each<CurrencyCode>(["GHS", "IQD", "LYD", "CLF"])("%s is not taken at all", (code) => {
    expect(currencyTerms(code)).toBeNull();
  });
});

test.each<[CurrencyCode, number]>([
  ["UGX", 1000],
  ["ISK", 500],
  ["KWD", 12_350],
  ["MGA", 150_000],
  ["JPY", 500],
])(
  "a page of %s is paid in full, given back in part, and tells the shop's amounts",
  async (currency, amountMinor) => {
    await using rig = await openStripeGateway({ startsAt: 0 });
    const { terms } = callTerms();
    const attempt = onPage({ currency, amountMinor });
    await rig.gateway.initiate(attempt, terms);
    await rig.face.payOnPage(rig.face.account.sessions.all()[0]?.id ?? "", "pm_card_visa");
    const part = amountMinor / 5;
    const refund = { refundId: "ref_01kf0000000000000000000001", amountMinor: part } as const;
    const made = {
      ...refund,
      reference: refund.refundId,
      gatewayRefundId: null,
      reason: "other" as const,
      wasAsked: false,
    };

    const refunded = await rig.gateway.refund({ ...made, currency, attempt, createdAt: 0 }, terms);

    expect(refunded.kind).toBe("succeeded");
    expect(await rig.gateway.verify(attempt, terms)).toMatchObject({
      amountMinor,
      currency,
      returnedMinor: part,
    });
    expect(await rig.gateway.findRefunds(attempt, terms)).toMatchObject({
      refunds: [{ amountMinor: part, currency }],
    });
  },
);
