// The table of vendors that this program has gateways of, in the order in which they are asked.

import { stripe } from "./stripe/vendor.ts";
import type { Vendor } from "./vendors.ts";

export const vendors: readonly Vendor[] = [stripe];
