// The table of vendors that this program has gateways of, in the order in which they are asked.

import { paystack } from "./paystack/vendor.ts";
import { stripe } from "./stripe/vendor.ts";
import type { Vendor } from "./vendors.ts";

export const vendors: readonly Vendor[] = [paystack, stripe];
