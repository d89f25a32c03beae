// How taking something back is spoken of, in English.

import { customers } from "./customers.ts";
import { emails } from "./orders.ts";
import { settings } from "./settings.ts";
import { webhooks } from "./webhooks.ts";

const { branding } = settings;

export const undo = {
  act: "Undo",
  stale: (changed: string) =>
    `Not undone: it was changed again in the meantime${changed === "" ? "" : ` (${changed})`}. Here is how it is now.`,
  lost: "Not undone: this page is too old for it. Here is how it is now.",
  /** People's names of the members of what is edited. Others are not told. */
  members: {
    name: "Name",
    title: "Name",
    description: "Description",
    status: "Status",
    category: "Category",
    tags: "Tags",
    email: customers.email,
    phone: customers.phone,
    addresses: customers.addresses,
    marketing_consent: customers.consent,
    tax_exemption: customers.exemption,
    images: "Pictures",
    options: "Options",
    variants: "Price and stock",
    currency: settings.currency,
    timezone: settings.timezone,
    country: settings.country,
    low_stock_threshold: settings.lowStock,
    order_expiry_minutes: settings.expiry,
    deposit_percent: settings.deposit,
    review_days: settings.review,
    refund_limit: settings.refundLimit,
    limits: settings.phoneCodes,
    recovery_url_template: settings.recovery,
    payment_methods: settings.payments,
    prices_include_tax: settings.prices,
    tax_id: settings.taxId,
    legal_name: settings.legalName,
    postal_address: emails.postal,
    logo_url: branding.logo,
    brand_color: branding.color,
    contact_email: branding.email,
    contact_phone: branding.phone,
    website_url: branding.website,
    support_line: branding.line,
    locale: branding.locale,
    valid_until: settings.endsOn,
    places: settings.zoneCountries,
    tiers: settings.rates,
    active: settings.enabled,
    address: settings.street,
    instructions: settings.instructions,
    line_items: "Items",
    fulfillments: "What was sent",
    payment_status: "Payment",
    metadata: "Note",
    url: webhooks.url,
    events: webhooks.events,
  },
} as const;
