// The table of all pages. A page whose address has parameters comes after those that it would match.

import { cashUpPage } from "./cash-up/cash-up-page.ts";
import { collectionPage, deleteCollectionPage } from "./collections/collection-page.ts";
import { collectionsPage } from "./collections/collections-page.ts";
import { newCollectionPage } from "./collections/new-collection-page.ts";
import { addressPage, newAddressPage } from "./customers/address-pages.ts";
import { customerPage } from "./customers/customer-page.ts";
import { customersPage } from "./customers/customers-page.ts";
import { deleteCustomerPage, eraseCustomerPage } from "./customers/forget-pages.ts";
import { newCustomerPage } from "./customers/new-customer-page.ts";
import { eventsPage } from "./events/events-page.ts";
import { exportOrdersPage } from "./exports/export-orders-page.ts";
import { homePage } from "./home/home-page.ts";
import { customerFilePage, productFilePage } from "./imports/import-file-page.ts";
import { importCustomersPage, importProductsPage } from "./imports/import-page.ts";
import { keyPage, revokeKeyPage, rotateKeyPage } from "./keys/key-page.ts";
import { keysPage } from "./keys/keys-page.ts";
import { newKeyPage } from "./keys/new-key-page.ts";
import { mePage, passwordPage } from "./me/me-page.ts";
import { morePage } from "./more/more-page.ts";
import { newOrderPage } from "./orders/new/new-order-page.ts";
import { cancelPage, refundPage, returnPage, sendPage } from "./orders/order/act-pages.ts";
import { changePage } from "./orders/order/change-page.ts";
import { giveBackPage } from "./orders/order/give-back-page.ts";
import { orderPage } from "./orders/order/order-page.ts";
import { payPage, writeOffPage } from "./orders/order/pay-page.ts";
import { receiptPage, slipPage } from "./orders/order/print-pages.ts";
import { trackingPage } from "./orders/order/sent-part.ts";
import { ordersPage } from "./orders/orders-page.ts";
import { slipsPage } from "./orders/slips-page.ts";
import type { Page } from "./page.ts";
import { paymentsPage } from "./payments/payments-page.ts";
import { actsPage } from "./people/acts-page.ts";
import { invitePage } from "./people/invite-page.ts";
import { peoplePage } from "./people/people-page.ts";
import { personPage, removePersonPage } from "./people/person-page.ts";
import { newProductPage } from "./products/new-product-page.ts";
import { productPage } from "./products/product-page.ts";
import { productsPage } from "./products/products-page.ts";
import { relatedPage } from "./products/related-page.ts";
import { removeVariantPage, variantPage } from "./products/variant-page.ts";
import { reportsPage } from "./reports/reports-page.ts";
import { requestPage } from "./requests/request-page.ts";
import { requestsPage } from "./requests/requests-page.ts";
import { cardsPage } from "./sandbox/cards-page.ts";
import { inboxPage } from "./sandbox/inbox-page.ts";
import { resetPage } from "./sandbox/reset-page.ts";
import { sandboxPage } from "./sandbox/sandbox-page.ts";
import { searchPage } from "./search/search-page.ts";
import { settingsPages } from "./settings/settings-pages.ts";
import { countPage } from "./stock/count-page.ts";
import { levelPage } from "./stock/level-page.ts";
import { stockPage } from "./stock/stock-page.ts";
import {
  deleteEndpointPage,
  editEndpointPage,
  rotateSecretPage,
  turnOffPage,
} from "./webhooks/act-pages.ts";
import { deliveryPage } from "./webhooks/delivery-page.ts";
import { endpointPage } from "./webhooks/endpoint-page.ts";
import { newEndpointPage } from "./webhooks/new-endpoint-page.ts";
import { replayPage } from "./webhooks/replay-page.ts";
import { webhooksPage } from "./webhooks/webhooks-page.ts";
import { cartsPage } from "./worklists/carts-page.ts";
import { disputesPage } from "./worklists/disputes-page.ts";
import { failedEmailsPage } from "./worklists/emails-page.ts";
import { refundsPage } from "./worklists/refunds-page.ts";

export const pages: readonly Page[] = [
  homePage,
  searchPage,
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
  returnPage,
  cancelPage,
  changePage,
  trackingPage,
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
  morePage,
];
