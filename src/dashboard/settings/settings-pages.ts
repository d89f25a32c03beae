// The pages of settings.

import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { en } from "#dashboard/words/en.ts";
import { html } from "#platform/html/html.ts";

import { accountPage, newAccountPage, removeAccountPage } from "./accounts-page.ts";
import { discountPage, discountsPage, newDiscountPage } from "./discounts-page.ts";
import { doorPage } from "./door-page.ts";
import { emailsPage } from "./emails-page.ts";
import { gatewayPage, gatewaysPage, newGatewayPage, removeGatewayPage } from "./gateways-page.ts";
import { goLivePage } from "./go-live-page.ts";
import { paymentPage, paymentsPage } from "./payments-page.ts";
import { newPickupPage, pickupPage, removePickupPage, shippingPage } from "./shipping-page.ts";
import { brandingPage, checkoutPage, shopPage } from "./shop-page.ts";
import { endTaxPage, taxesPage } from "./taxes-page.ts";
import { newZonePage, ratePage, removeRatePage, removeZonePage, zonePage } from "./zone-page.ts";

// The settings of the shop, by what they are about.

const { settings } = en;
const { branding } = settings;

const parts = [
  ["/settings/shop", settings.shop, "store:write"],
  ["/settings/look", branding.title, "store:write"],
  ["/settings/emails", en.emails.title, "store:read"],
  ["/settings/payments", settings.payments, "store:read"],
  ["/settings/checkout", settings.checkout.title, "store:write"],
  ["/settings/taxes", settings.taxes, "taxes:read"],
  ["/settings/shipping", settings.shipping, "shipping:read"],
  ["/settings/discounts", settings.discounts, "discounts:read"],
  ["/settings/sign-in", settings.door.title, "store:write"],
] as const;

const settingsPage: Page = {
  path: "/settings",
  scopes: ["store:read"],
  show: async (visit) => ({
    title: settings.title,
    body: html`${heading({ title: settings.title })}
      <ul class="rows">
        ${parts
          .filter(([, , scope]) => visit.may(scope))
          .map(
            ([path, name]) =>
              html`<li>
                <a class="line" href="${visit.href(path)}"><strong>${name}</strong>${icon("on")}</a>
              </li>`,
          )}
      </ul>`,
  }),
};

export const settingsPages: readonly Page[] = [
  settingsPage,
  goLivePage,
  shopPage,
  brandingPage,
  emailsPage,
  paymentsPage,
  paymentPage,
  newAccountPage,
  accountPage,
  removeAccountPage,
  gatewaysPage,
  newGatewayPage,
  gatewayPage,
  removeGatewayPage,
  checkoutPage,
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
  doorPage,
];
