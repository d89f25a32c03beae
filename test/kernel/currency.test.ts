// Holds our table of currencies against the engine's, so that a change in either is seen and judged
// by a person: stored money is read by these digits.

import { describe, expect, test } from "bun:test";

import { exponentOf, isCurrency } from "#kernel/currency.ts";

const engineCodes = Intl.supportedValuesOf("currency");
const sold = engineCodes.filter(isCurrency);

/** Codes that no shop sells in: historic codes, metals, test codes, units of banks and bond markets. */
const notSold = `
  ADP AFA ALK ANG AOK AON AOR ARA ARL ARM ARP ATS AZM BAD BAN BEC BEF BEL BGL BGM BGN BGO BOL
  BOP BRB BRC BRE BRN BRR BRZ BUK BYB BYR CLE CNH CNX CSD CSK CUC CYP DDM DEM ECS ECV EEK ESA
  ESB ESP FIM FRF GEK GHC GNS GQE GRD GWE GWP HRD HRK IEP ILP ILR ISJ ITL KRH KRO LTL LTT LUC
  LUF LUL LVL LVR MAF MCF MDC MGF MKN MLF MRO MTL MTP MVP MXP MZE MZM NIC NLG PEI PES PLZ PTE
  RHD ROL RUR SDD SDP SIT SKK SLL SRG STD SUR TJR TMM TPE TRL UAK UGS USS UYP VEB VEF VNN XAG
  XAU XBA XBB XBC XBD XDR XEU XFO XFU XPD XPT XRE XSU XTS XUA XXX YDD YUD YUM YUN YUR ZAL ZMK
  ZRN ZRZ ZWD ZWL ZWR
`
  .trim()
  .split(/\s+/);

/** ISO 4217 gives the Uruguayan wage unit four digits; the engine's table never took that over. */
const engineIsWrong: readonly string[] = ["UYW"];

function engineDigits(currency: string): number | undefined {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits;
}

describe("the table of currencies", () => {
  test.each(sold.filter((code) => !engineIsWrong.includes(code)))(
    "%s has the digits the engine gives it",
    (currency) => {
      expect(engineDigits(currency)).toBe(exponentOf(currency));
    },
  );

  test("the Uruguayan wage unit has four digits, whatever the engine says", () => {
    expect(exponentOf("UYW")).toBe(4);
  });

  test("every code the engine knows is either sold in or left out by name", () => {
    const leftOut = engineCodes.filter((code) => !isCurrency(code));

    expect(leftOut).toEqual(notSold);
  });

  test("the table holds 164 currencies, and the engine knows each of them", () => {
    expect(sold).toHaveLength(164);
  });

  test.each([
    [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
    [3, "BHD IQD JOD KWD LYD OMR TND"],
    [4, "CLF UYW"],
  ])("the currencies of %d digits are exactly these", (digits, codes) => {
    expect(sold.filter((code) => exponentOf(code) === digits).join(" ")).toBe(codes);
  });

  test.each(["UGX", "KES", "GHS", "XCG", "ZWG"])("a shop sells in %s", (code) => {
    expect(isCurrency(code)).toBe(true);
  });

  test.each(["usd", "Usd", " USD", "USD ", "US", "USDT", "", "XXX", "XTS", "XAU", "DEM"])(
    "no shop sells in %j",
    (code) => {
      expect(isCurrency(code)).toBe(false);
    },
  );

  test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "the word %s of the language is no currency",
    (word) => {
      expect(isCurrency(word)).toBe(false);
    },
  );
});
