// Stripe in the table of vendors.

import type { Vendor } from "#payments/gateways/vendors.ts";

import { checkStripe, connectStripe } from "./account.ts";
import { openStripe } from "./stripe.ts";

/** Secret keys, and restricted ones, which cannot pay money out. */
export const stripe: Vendor = {
  id: "stripe",
  prefixes: { test: ["sk_test_", "rk_test_"], live: ["sk_live_", "rk_live_"] },
  fields: null,
  webhookPrefix: "whsec_",
  addresses: { test: "https://api.stripe.com", live: "https://api.stripe.com" },
  construct: openStripe,
  check: checkStripe,
  connect: connectStripe,
};
