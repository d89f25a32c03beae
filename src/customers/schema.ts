// Customers on the wire, and addresses, which orders and carts share.

import Type, { type Static } from "typebox";

import type { Address } from "#kernel/address.ts";
import { SENT_NAMES } from "#kernel/metadata.ts";
import { Faults } from "#kernel/refusal.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { createdAtFilters, idSpan } from "#platform/http/contract/filters.ts";
import { field, resource } from "#platform/http/contract/resource.ts";
import { added, at, from, list, orNull, wire } from "#platform/http/contract/wire.ts";
import {
  component,
  countryCode,
  email,
  emailSought,
  identifying,
  idOf,
  line,
  matching,
  metadata,
  namedChoice,
  nullable,
  object,
  optional,
  phone,
  phoneGiven,
  sought,
  taxId,
  whole,
} from "#platform/http/contract/words.ts";

import { type Customer, type CustomerChange, emailsBy } from "./customer.ts";
import type { CustomerSearch } from "./lookups.ts";
import type { TaxExemption } from "./tax-exemption.ts";

/** Addresses of one customer. */
const ADDRESSES_MAX = 50;
const TAGS_MAX = 50;

const country = Type.String({
  ...countryCode,
  description: "ISO 3166-1 alpha-2 code, such as GH.",
});
const tag = line(50, {});
const tags = Type.Array(tag, { maxItems: TAGS_MAX, uniqueItems: true });

export const taxExemption = namedChoice<TaxExemption>(
  { name: "TaxExemption", about: "Why an order of the customer is free of tax." },
  {
    none: "It is not.",
    reverse_charge:
      "The customer's own business accounts for the tax. In a store of the European Union it holds for orders with a VAT number of another member state and an address there; others are taxed as usual.",
    exempt: "The customer pays no tax.",
  },
);

export const addressWire = wire<Address>()(
  "Address",
  publicFields({
    name: nullable(line(200)),
    line1: nullable(line(200)),
    line2: nullable(line(200)),
    city: nullable(line(100)),
    region: nullable(line(100)),
    postal_code: nullable(line(20)),
    country: nullable(country),
    phone: nullable(phone),
  }),
);

/** An address in a request. Fields that are left out are null. */
export const addressGivenSchema = component(
  "AddressInput",
  publicFields({
    name: optional(nullable(line(200))),
    line1: optional(nullable(line(200))),
    line2: optional(nullable(line(200))),
    city: optional(nullable(line(100))),
    region: optional(nullable(line(100))),
    postal_code: optional(nullable(line(20, identifying))),
    // Any other code would have no tax rates and no shipping zone.
    country: optional(nullable({ ...country, "x-country": true })),
    phone: optional(nullable(phoneGiven)),
  }),
  { minProperties: 1 },
);

const addressesBounds = {
  maxItems: ADDRESSES_MAX,
  description: "The first one is the default.",
};

/** The addresses of a customer, as the merchant and the customer read them. */
export const addressesWire = list(addressWire, addressesBounds);

/** The same in a request: they replace those that there are. */
export const addressesGiven = Type.Array(addressGivenSchema, addressesBounds);

/** A name that may be missing, with this many characters at most. */
function nameField(most: number) {
  return field(nullable(line(most)), { given: nullable(line(most)) });
}

const declared = resource<Customer>()("Customer", {
  // A stranger cannot tell by it whether the customer is new.
  id: idOf("customer"),
  ...publicFields({
    email: field(nullable(email), { given: nullable(emailSought) }),
    phone: field(nullable(phone), { given: nullable(phoneGiven) }),
    name: nameField(200),
    first_name: nameField(100),
    last_name: nameField(100),
    addresses: field(addressesWire, {
      given: addressesGiven,
      read: (given) => given.map(readAddress),
    }),
  }),
  // A stranger can give consent and cannot withdraw it.
  ...publicFields(
    { marketing_consent: field(Type.Boolean(), { given: Type.Boolean() }) },
    { sent: { values: [true] } },
  ),
  tags: field(tags, { given: tags }),
  ...publicFields({ metadata: field(metadata, { given: metadata }) }, { names: SENT_NAMES }),
  orders_count: whole(0, undefined, { "x-closed": 0 }),
  ...publicFields({
    unverified: added(
      from(
        ({ isUnverified }: Customer) => isUnverified,
        Type.Boolean({
          description:
            "Whether only publishable keys have sent this customer's details. A phone and a name that a secret key sends replace them.",
        }),
      ),
    ),
  }),
  tax_id: field(added(nullable(taxId)), { given: nullable(taxId) }),
  tax_exemption: field(added({ ...taxExemption, "x-closed": "none" }), { given: taxExemption }),
  email_verified_at: added(orNull(at)),
  phone_verified_at: added(orNull(at)),
  erased_at: orNull(at),
  ...publicFields({ version: whole(1), created_at: at, updated_at: at }),
});

/** The response of a customer, and the payload of its events. */
export const customerWire = declared.wire;

/** The request body that creates or changes a customer. */
export const customerChangeSchema = object(declared.changeMembers);

export const customerQuerySchema = object({
  email: optional(Type.String({ ...email, "x-text": "email", ...sought })),
  phone: optional(
    Type.String({
      // A plus sign that is not percent-encoded arrives as a space.
      ...identifying,
      ...matching("^\\+?[1-9][0-9]{6,14}$", "This is not a phone in E.164, such as +233551234987."),
      maxLength: 40,
      description: "E.164. The plus sign may be omitted.",
    }),
  ),
  tag: optional(tag),
  q: optional(
    line(200, {
      description:
        "Words or beginnings of words in the name, email or phone, in capital or small letters, with or without accents. A phone and the domain of an email are read as people write them.",
    }),
  ),
  ...createdAtFilters,
});

/** Reads an address from a request. */
export function readAddress(given: Static<typeof addressGivenSchema>): Address {
  return {
    name: given.name ?? null,
    line1: given.line1 ?? null,
    line2: given.line2 ?? null,
    city: given.city ?? null,
    region: given.region ?? null,
    postalCode: given.postal_code ?? null,
    country: given.country ?? null,
    phone: given.phone ?? null,
  };
}

/** Reads the fields of a customer from a request body. */
export function readCustomerChange(body: Static<typeof customerChangeSchema>): CustomerChange {
  const change = declared.readChange(body, new Faults());
  return saysWho(body) ? { ...change, isUnverified: false } : change;
}

function saysWho(body: Static<typeof customerChangeSchema>): boolean {
  const said = [body.email, body.phone, body.name, body.first_name, body.last_name];
  return said.some((one) => one !== undefined);
}

/** Reads the filters of a list. */
export function readCustomerSearch(query: Static<typeof customerQuerySchema>): CustomerSearch {
  return {
    emails: query.email === undefined ? undefined : emailsBy(query.email),
    phone: query.phone === undefined ? undefined : `+${query.phone.replace(/^\+/, "")}`,
    tag: query.tag,
    q: query.q,
    ...idSpan("customer", query),
  };
}
