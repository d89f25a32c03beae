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
  fields: null,
  webhookPrefix: "whsec_",
  addresses: { test: "https://api.vendor.example", live: "https://api.vendor.example" },
  construct: (terms) => new VendorGateway(terms),
  check: async ({ secret, address }) => [
    { ok: true, text: `asked ${address}` },
    { ok: secret !== REVOKED, text: "the key is accepted" },
  ],
};

/** The same with a secret of several fields. */
export const fieldedVendor: Vendor = {
  ...scriptedVendor,
  prefixes: { test: [], live: [] },
  webhookPrefix: null,
  addresses: { test: "https://sandbox.vendor.example", live: "https://api.vendor.example" },
  fields: [
    { name: "key", label: "Key", isSecret: true, form: /^\w{8,40}$/, isRequired: true },
    {
      name: "shortcode",
      label: "Shortcode",
      isSecret: false,
      form: /^\d{5,7}$/,
      isRequired: true,
      ofSandbox: "174379",
    },
    { name: "till", label: "Till", isSecret: false, form: /^\d{5,7}$/, isRequired: false },
  ],
};
