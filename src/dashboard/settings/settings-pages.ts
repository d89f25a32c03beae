// The pages of settings.

import type { Page } from "../page.ts";
import { brandingPage } from "./branding-page.ts";
import { discountPage, discountsPage, newDiscountPage } from "./discounts-page.ts";
import { emailsPage } from "./emails-page.ts";
import { paymentPage, paymentsPage } from "./payments-page.ts";
import { newPickupPage, pickupPage, removePickupPage } from "./pickup-page.ts";
import { settingsPage } from "./settings-page.ts";
import { shippingPage } from "./shipping-page.ts";
import { shopPage } from "./shop-page.ts";
import { endTaxPage, taxesPage } from "./taxes-page.ts";
import { newZonePage, ratePage, removeRatePage, removeZonePage, zonePage } from "./zone-page.ts";

export const settingsPages: readonly Page[] = [
  settingsPage,
  shopPage,
  brandingPage,
  emailsPage,
  paymentsPage,
  paymentPage,
  taxesPage,
  endTaxPage,
  shippingPage,
  newZonePage,
  zonePage,
  removeZonePage,
  ratePage,
  removeRatePage,
  newPickupPage,
  pickupPage,
  removePickupPage,
  discountsPage,
  newDiscountPage,
  discountPage,
];
