// The table of all pages. A page whose address has parameters comes after those that it would match.

import { addressPage, newAddressPage } from "#dashboard/customers/address-pages.ts";
import { cartsPage } from "#dashboard/customers/carts-page.ts";
import {
  customerPage,
  deleteCustomerPage,
  eraseCustomerPage,
} from "#dashboard/customers/customer-page.ts";
import { customersPage, newCustomerPage } from "#dashboard/customers/customers-page.ts";
import { deliveryPage } from "#dashboard/developers/delivery-page.ts";
import {
  deleteEndpointPage,
  editEndpointPage,
  rotateSecretPage,
  turnOffPage,
} from "#dashboard/developers/endpoint-acts.ts";
import { endpointPage } from "#dashboard/developers/endpoint-page.ts";
import { eventsPage } from "#dashboard/developers/events-page.ts";
import {
  keyPage,
  newKeyPage,
  revokeKeyPage,
  rotateKeyPage,
} from "#dashboard/developers/key-page.ts";
import { keysPage } from "#dashboard/developers/keys-page.ts";
import { requestPage } from "#dashboard/developers/request-page.ts";
import { requestsPage } from "#dashboard/developers/requests-page.ts";
import {
  cardsPage,
  inboxPage,
  resetPage,
  sandboxPage,
} from "#dashboard/developers/sandbox-pages.ts";
import { newEndpointPage, replayPage, webhooksPage } from "#dashboard/developers/webhooks-page.ts";
import { exportOrdersPage } from "#dashboard/files/export-orders-page.ts";
import { customerFilePage, productFilePage } from "#dashboard/files/import-file-page.ts";
import { importCustomersPage, importProductsPage } from "#dashboard/files/import-page.ts";
import { readingOf } from "#dashboard/kit/amounts.ts";
import { furtherWays } from "#dashboard/kit/frame.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { cashUpPage } from "#dashboard/money/cash-up-page.ts";
import { paymentsPage } from "#dashboard/money/payments-page.ts";
import { reportsPage } from "#dashboard/money/reports-page.ts";
import { disputesPage, failedEmailsPage, refundsPage } from "#dashboard/money/worklists.ts";
import { newOrderPage } from "#dashboard/orders/new-order-page.ts";
import {
  cancelPage,
  giveBackPage,
  refundPage,
  returnPage,
  sendPage,
} from "#dashboard/orders/order/act-pages.ts";
import { approvePage, declinePage } from "#dashboard/orders/order/approval-pages.ts";
import { orderPage } from "#dashboard/orders/order/order-page.ts";
import { payPage, writeOffPage } from "#dashboard/orders/order/pay-page.ts";
import { receiptPage, slipPage } from "#dashboard/orders/order/print-pages.ts";
import { trackingPage, unsendPage } from "#dashboard/orders/order/sent-part.ts";
import { changePage } from "#dashboard/orders/order/units.ts";
import { ordersPage } from "#dashboard/orders/orders-page.ts";
import { slipsPage } from "#dashboard/orders/send-orders.ts";
import { newCollectionPage } from "#dashboard/products/collection-form.ts";
import {
  collectionPage,
  collectionsPage,
  deleteCollectionPage,
} from "#dashboard/products/collection-pages.ts";
import { newProductPage } from "#dashboard/products/product-form.ts";
import { productPage, productsPage } from "#dashboard/products/product-pages.ts";
import { relatedPage } from "#dashboard/products/related-page.ts";
import { removeVariantPage, variantPage } from "#dashboard/products/variant-page.ts";
import { actsPage } from "#dashboard/settings/acts-page.ts";
import { mePage, passwordPage } from "#dashboard/settings/me-page.ts";
import { confirmEmailPage } from "#dashboard/settings/my-email.ts";
import { addPasskeyPage, passkeyPage, passkeysPage } from "#dashboard/settings/passkeys-page.ts";
import { peoplePage } from "#dashboard/settings/people-page.ts";
import { invitePage, personPage, removePersonPage } from "#dashboard/settings/person-page.ts";
import { settingsPages } from "#dashboard/settings/settings-pages.ts";
import { countPage } from "#dashboard/stock/count-page.ts";
import { levelPage } from "#dashboard/stock/level-page.ts";
import { stockPage } from "#dashboard/stock/stock-page.ts";
import { en } from "#dashboard/words/en.ts";
import { html } from "#platform/html/html.ts";

import { homePage } from "./home-page.ts";
import { searchPage } from "./search-page.ts";

// The ways for which the thumb bar of a phone has no room.

const morePage: Page = {
  path: "/more",
  scopes: ["store:read"],
  show: async (visit) => ({
    title: en.nav.more,
    body: html`${heading({ title: en.nav.more })} ${furtherWays(visit)}`,
  }),
};

// How an amount is read that is being typed: a script shows it beside the field.

const amountPage: Page = {
  path: "/typed",
  scopes: ["store:read"],
  show: async (visit) => ({
    title: en.amounts.title,
    body: html`${heading({ title: en.amounts.title })}
      <p><output>${readingOf(visit.url.searchParams, visit.writing())}</output></p>`,
  }),
};

export const pages: readonly Page[] = [
  homePage,
  searchPage,
  amountPage,
  ordersPage,
  newOrderPage,
  slipsPage,
  exportOrdersPage,
  orderPage,
  sendPage,
  payPage,
  writeOffPage,
  refundPage,
  giveBackPage,
  approvePage,
  declinePage,
  returnPage,
  cancelPage,
  changePage,
  trackingPage,
  unsendPage,
  slipPage,
  receiptPage,
  productsPage,
  newProductPage,
  importProductsPage,
  productFilePage,
  collectionsPage,
  newCollectionPage,
  collectionPage,
  deleteCollectionPage,
  productPage,
  relatedPage,
  variantPage,
  removeVariantPage,
  stockPage,
  countPage,
  levelPage,
  customersPage,
  newCustomerPage,
  importCustomersPage,
  customerFilePage,
  customerPage,
  newAddressPage,
  addressPage,
  eraseCustomerPage,
  deleteCustomerPage,
  refundsPage,
  disputesPage,
  failedEmailsPage,
  paymentsPage,
  cashUpPage,
  reportsPage,
  cartsPage,
  webhooksPage,
  newEndpointPage,
  endpointPage,
  editEndpointPage,
  rotateSecretPage,
  replayPage,
  turnOffPage,
  deleteEndpointPage,
  deliveryPage,
  keysPage,
  newKeyPage,
  keyPage,
  rotateKeyPage,
  revokeKeyPage,
  peoplePage,
  invitePage,
  actsPage,
  personPage,
  removePersonPage,
  eventsPage,
  requestsPage,
  requestPage,
  sandboxPage,
  inboxPage,
  cardsPage,
  resetPage,
  ...settingsPages,
  mePage,
  passwordPage,
  passkeysPage,
  addPasskeyPage,
  passkeyPage,
  confirmEmailPage,
  morePage,
];
