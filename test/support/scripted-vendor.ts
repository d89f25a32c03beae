// A vendor for tests, with the settings of Stripe: its gateway is scripted, and its check says what it was asked with.

import type { Vendor, VendorTerms } from "#payments/gateways/vendors.ts";
import type { Gateway } from "#payments/port/gateway.ts";

import { ScriptedGateway } from "./scripted-gateway.ts";

/** A gateway that remembers what it was made of. */
export class VendorGateway extends ScriptedGateway {
  override readonly id = "stripe";
  override readonly mode: Gateway["mode"];
  readonly terms: VendorTerms;

  constructor(terms: VendorTerms) {
    super();
    this.mode = terms.mode;
    this.terms = terms;
  }
}

/** The secret that its account does not accept. */
export const REVOKED = "sk_test_revoked0000000000000";

export const scriptedVendor: Vendor = {
  id: "stripe",
  prefixes: { test: ["sk_test_", "rk_test_"], live: ["sk_live_", "rk_live_"] },
  webhookPrefix: "whsec_",
  address: "https://api.vendor.example",
  construct: (terms) => new VendorGateway(terms),
  check: async ({ secret, address }) => [
    { ok: true, text: `asked ${address}` },
    { ok: secret !== REVOKED, text: "the key is accepted" },
  ],
};
