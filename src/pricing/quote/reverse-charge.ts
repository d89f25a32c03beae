// Rule: when the customer's own business accounts for the tax in place of the shop. In the European Union that is law for
// sales to businesses of other member states; elsewhere the merchant's word decides.

import type { TaxExemption } from "#customers/tax-exemption.ts";
import type { AreaOfAddress } from "#kernel/area.ts";
import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { prefixOfVatNumber, vatPrefixOf } from "#shop/taxes/vat-numbers.ts";

const reverseChargeFaults = defineFaults({
  tax_id_invalid:
    "The tax number has not the form of a VAT number of the other country of the European Union that the order goes to.",
  reverse_charge_domestic:
    "The sale is within the country of the shop, where the shop charges the tax.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof reverseChargeFaults> {}
}

/** The sale to which the reverse charge is to apply. */
export interface ReversedSale {
  /** The country of the shop. */
  readonly home: string | null;
  /** The number that the order has. */
  readonly taxId: string | null;
  /** The place at which the goods are handed over. */
  readonly place: Pick<AreaOfAddress, "country" | "postalCode">;
}

interface ReverseChargeFault {
  readonly code: keyof typeof reverseChargeFaults;
  readonly of: "tax_id" | "place";
  readonly detail: string;
}

/**
 * The reasons for which the shop has to charge the tax; empty where the reverse charge applies. In a shop of the Union it
 * needs a VAT number of another member state, and the goods go there.
 */
export function whyNotReversed({ home, taxId, place }: ReversedSale): ReverseChargeFault[] {
  const own = vatPrefixOf({ country: home, postalCode: null });
  if (own === null) return [];
  const [prefix, goesTo] = [prefixOfVatNumber(taxId), vatPrefixOf(place)];
  const faults: ReverseChargeFault[] = [];
  if (prefix === null) {
    const detail = "It needs a VAT number of another country of the European Union.";
    faults.push({ code: "tax_id_invalid", of: "tax_id", detail });
  } else if (prefix === own) {
    const detail = "It is a number of the shop's own country. There a customer can be `exempt`.";
    faults.push({ code: "reverse_charge_domestic", of: "tax_id", detail });
  }
  if (goesTo === own) {
    const detail = "The goods stay in the shop's own country. There a customer can be `exempt`.";
    faults.push({ code: "reverse_charge_domestic", of: "place", detail });
  }
  if (faults.length === 0 && prefix !== goesTo) {
    const detail = `The number is of ${prefix}, and the goods do not go there.`;
    faults.push({ code: "tax_id_invalid", of: "tax_id", detail });
  }
  return faults;
}

/** The exemption with which the sale is taxed: none where the reverse charge does not apply. */
export function holdingExemption(exemption: TaxExemption, sale: ReversedSale): TaxExemption {
  const isRefused = exemption === "reverse_charge" && whyNotReversed(sale).length > 0;
  return isRefused ? "none" : exemption;
}
