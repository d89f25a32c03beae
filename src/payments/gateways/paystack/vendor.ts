// Paystack in the table of vendors.

import type { Vendor } from "#payments/gateways/vendors.ts";

import { checkPaystack } from "./check-paystack.ts";
import { openPaystack } from "./paystack.ts";

/** Its secret signs the notices, too. Their address is set in Paystack's dashboard alone. */
export const paystack: Vendor = {
  id: "paystack",
  prefixes: { test: ["sk_test_"], live: ["sk_live_"] },
  fields: null,
  webhookPrefix: null,
  addresses: { test: "https://api.paystack.co", live: "https://api.paystack.co" },
  construct: openPaystack,
  check: checkPaystack,
};
