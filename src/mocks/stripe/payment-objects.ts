// Objects of Stripe's API that a payer pays by: intents and Checkout Sessions. And those of the account: itself, the
// endpoints of its notices, and every object by its id. Each has the shape of the official type.

import type Stripe from "stripe";

import type { Account, Decline, EndpointRow, IntentRow, SessionRow } from "./account.ts";
import {
  chargeObject,
  disputeObject,
  payoutObject,
  refundObject,
  seconds,
  transactionObject,
} from "./money-objects.ts";

/** The address at which the face serves the vendor's pages. */
export interface Pages {
  readonly url: string;
}

export function intentObject(account: Account, row: IntentRow, pages: Pages) {
  const paid = account.paidCharge(row);
  return {
    id: row.id,
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount: row.amountMinor,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: paid?.amountMinor ?? 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods:
      row.session === null ? { allow_redirects: "always", enabled: true } : null,
    canceled_at: row.canceledAt === null ? null : seconds(row.canceledAt),
    cancellation_reason: row.cancellationReason,
    capture_method: "automatic_async",
    client_secret: `${row.id}_secret_3Fa03Fa03Fa03Fa03Fa03Fa0`,
    confirmation_method: "automatic",
    created: seconds(row.createdAt),
    // The one that was taken, of a payer who pays in another currency.
    currency: paid?.currency ?? row.currency,
    customer: null,
    customer_account: null,
    description: row.description,
    excluded_payment_method_types: null,
    last_payment_error: row.decline === null ? null : paymentError(row, row.decline),
    latest_charge: row.charge,
    livemode: account.isLive,
    managed_payments: null,
    metadata: row.metadata,
    next_action: row.status === "requires_action" ? nextAction(row, pages) : null,
    on_behalf_of: null,
    payment_method: row.decline === null ? row.method : null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: row.status,
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.PaymentIntent;
}

function paymentError({ charge }: IntentRow, decline: Decline) {
  const { type, code, declineCode, message, param } = decline;
  return {
    ...(charge === null ? {} : { charge }),
    code,
    ...(declineCode === null ? {} : { decline_code: declineCode }),
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}`,
    message,
    ...(param === null ? {} : { param }),
    type,
  } satisfies Stripe.PaymentIntent.LastPaymentError;
}

function nextAction({ id, returnUrl }: IntentRow, { url }: Pages) {
  return {
    redirect_to_url: { return_url: returnUrl, url: `${url}/3ds/${id}` },
    type: "redirect_to_url",
  } satisfies Stripe.PaymentIntent.NextAction;
}

export function sessionObject(account: Account, row: SessionRow, pages: Pages) {
  const intent = row.intent === null ? undefined : account.intents.find(row.intent);
  const paid = intent === undefined ? null : account.paidCharge(intent);
  const taken = paid ?? row;
  return {
    id: row.id,
    object: "checkout.session",
    ...unusedOfSession(),
    amount_subtotal: taken.amountMinor,
    amount_total: taken.amountMinor,
    cancel_url: row.cancelUrl,
    client_reference_id: row.reference,
    created: seconds(row.createdAt),
    currency: taken.currency,
    customer_details: customerDetails(row),
    customer_email: row.email,
    expires_at: seconds(row.expiresAt),
    livemode: account.isLive,
    metadata: row.metadata,
    payment_intent: row.intent,
    payment_status: paid === null ? "unpaid" : "paid",
    status: row.status,
    success_url: row.successUrl,
    url: row.status === "open" ? `${pages.url}/c/pay/${row.id}` : null,
  } satisfies Stripe.Checkout.Session;
}

/** The parts of a session that the shop does not use. */
function unusedOfSession() {
  return {
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency_conversion: null,
    custom_fields: [],
    customer: null,
    customer_account: null,
    customer_creation: "if_required",
    discounts: [],
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    locale: null,
    managed_payments: null,
    mode: "payment",
    origin_context: null,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    submit_type: null,
    subscription: null,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    wallet_options: null,
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
  } satisfies Partial<Stripe.Checkout.Session>;
}

function customerDetails({ email }: SessionRow) {
  if (email === null) return null;
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name: null,
    phone: null,
    tax_exempt: "none",
    tax_ids: null,
  } satisfies Stripe.Checkout.Session.CustomerDetails;
}

/** Its secret is told once, to its maker. */
export function endpointObject(account: Account, row: EndpointRow, isNew = false) {
  return {
    id: row.id,
    object: "webhook_endpoint",
    api_version: row.apiVersion,
    application: null,
    created: seconds(row.createdAt),
    description: row.description,
    enabled_events: [...row.events],
    livemode: account.isLive,
    metadata: row.metadata,
    ...(isNew ? { secret: row.secret } : {}),
    status: "enabled",
    url: row.url,
  } satisfies Stripe.WebhookEndpoint;
}

/** The merchant's account as it describes itself. */
export const accountObject = {
  id: "acct_3Fa03Fa03Fa03Fa0",
  object: "account",
  business_profile: null,
  business_type: "company",
  capabilities: { card_payments: "active", transfers: "active" },
  charges_enabled: true,
  country: "DE",
  default_currency: "eur",
  details_submitted: true,
  email: "shop@example.com",
  payouts_enabled: true,
  settings: null,
  type: "standard",
} satisfies Stripe.Account;

/** The money that the account has, and the money that it waits for. */
export function balanceObject(account: Account) {
  const entries = account.books.entries;
  const currencies = new Set([
    accountObject.default_currency,
    ...entries.map((one) => one.currency),
  ]);
  const sums = (isAvailable: boolean) =>
    [...currencies].map((currency) => ({
      amount: entries
        .filter((one) => one.currency === currency)
        .filter((one) => one.availableAt <= account.now() === isAvailable)
        .reduce((sum, { amountMinor, feeMinor }) => sum + amountMinor - feeMinor, 0),
      currency,
      source_types: {},
    }));
  return {
    object: "balance",
    available: sums(true),
    livemode: account.isLive,
    pending: sums(false),
  } satisfies Stripe.Balance;
}

/** The object with the id, as it is now; null if the account has none. */
export function objectOf(account: Account, id: string, pages: Pages): object | null {
  return find(account, id, pages) ?? null;
}

function find(account: Account, id: string, pages: Pages): object | undefined {
  switch (id.slice(0, id.indexOf("_"))) {
    case "pi":
      return map(account.intents.find(id), (row) => intentObject(account, row, pages));
    case "cs":
      return map(account.sessions.find(id), (row) => sessionObject(account, row, pages));
    case "ch":
      return map(account.charges.find(id), (row) => chargeObject(account, row));
    case "re":
      return map(account.refunds.find(id), (row) => refundObject(account, row));
    case "dp":
      return map(account.disputes.find(id), (row) => disputeObject(account, row));
    case "po":
      return map(account.payouts.find(id), (row) => payoutObject(account, row));
    case "txn":
      return transactions(account).find((one) => one.id === id);
    default:
      return undefined;
  }
}

/** All balance transactions, oldest first. */
export function transactions(account: Account) {
  return account.books.entries.map((entry) => transactionObject(entry, account.now()));
}

function map<T>(row: T | undefined, build: (row: T) => object): object | undefined {
  return row === undefined ? undefined : build(row);
}
