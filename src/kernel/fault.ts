// The faults of a request: the codes of all things that can be wrong with one of its values, and what they mean.

/** Why a text is not strict JSON. */
export const jsonFaults = {
  json_empty: "The body is empty.",
  json_encoding: "The body is not UTF-8, or begins with a byte order mark.",
  json_syntax: "The text does not follow the grammar of JSON, or ends too early.",
  json_depth: "Objects and lists are nested too deeply.",
  json_duplicate_key: "An object has the same key twice.",
  json_forbidden_key: "A key is one that JavaScript treats specially, such as `__proto__`.",
  json_string: "A string has a control character or half a surrogate pair.",
} as const;

/** How a value differs from the schema of its field or parameter. */
export const shapeFaults = {
  required: "A required value is missing.",
  unknown_field: "There is no field with this name.",
  wrong_type: "The value has another JSON type.",
  invalid_choice: "The value is none of the allowed ones.",
  invalid_format: "The value does not have the required format.",
  too_small: "The number is below the minimum.",
  too_large: "The number is above the maximum, or the object has too many bytes.",
  too_short: "The text has too few characters.",
  too_long: "The text has too many characters.",
  too_few: "The list or object has too few entries.",
  too_many: "The list or object has too many entries.",
  duplicate: "The value, or one that must be unique, is given twice.",
  number_precision: "The number has more digits than a double keeps; send it as text.",
  looks_like_a_card: "The text has what looks like a card number, which must not be kept.",
  amount_precision: "The amount has more decimal digits than its currency or gateway accepts.",
  amount_too_large: "The amount, or a product of price and quantity, is too large.",
  amount_invalid: "The amount is not a decimal number.",
  not_allowed_for_public_key: "A publishable key may not send the field, or not this value.",
} as const;

/** Why a line cannot be sold. */
export const saleFaults = {
  unknown_variant: "There is no such variant.",
  variant_not_for_sale: "The variant, or its product, is not active.",
  price_missing: "The variant has no price in this currency.",
} as const;

/** Why a value does not fit the shop. */
export const shopFaults = {
  amount_below_due: "The amount is a part of what is due that only the merchant can ask for.",
  amount_exceeds_due: "The amount is greater than what is due on the order.",
  amount_known: "The money arrived in the currency of the payment and counts as it came.",
  amount_not_whole: "A payment in review can only be refunded in full.",
  amount_too_small: "The amount is zero, or below the minimum of the gateway.",
  test_token_in_live_mode: "The token is that of a test card, which pays nothing in live mode.",
  card_token_unknown: "The simulated gateway does not know this card token.",
  scopes_of_other_kind: "The scopes belong to the other kind of API key.",
  compare_at_too_low: "The former price (`compare_at`) is below the price.",
  conflicting_fields: "Two fields exclude each other; send one of them.",
  currency_mismatch: "The currency is not the currency of the order.",
  currency_not_supported: "The gateway does not accept this currency.",
  phone_not_in_country: "The phone is not of the country of the currency and the network.",
  provider_not_supported: "No gateway accepts this currency from this provider.",
  gateway_unknown: "The shop has no gateway with this id that takes new payments.",
  invalid_length: "The text is empty or too long.",
  method_not_supported: "The gateway that is asked for does not take this payment method.",
  mixed_forms: "The field belongs to each variant, since the product is given with variants.",
  deposit_paid: "The deposit of the order is paid already.",
  guard_required: "Without an `Idempotency-Key` or `If-Match`, sent twice, it would act twice.",
  less_than_refunded: "The amount is less than the refunds of the payment.",
  more_than_left: "The quantity is greater than what can still be refunded of the line item.",
  more_than_open: "The quantity is greater than what is neither fulfilled nor cancelled.",
  more_than_paid: "The amount is greater than what was paid and is no longer owed.",
  more_than_shipping:
    "The amount is greater than what was charged for shipping and has not been refunded.",
  more_than_shipped: "The quantity is greater than what was shipped and has not come back.",
  not_in_the_future: "The time must be in the future.",
  option_in_use: "A variant uses the option or value that would be removed.",
  out_of_range: "The number or time is outside of the allowed range.",
  return_host_not_allowed: "Customers may not be sent to this host after a payment.",
  too_many_units: "An order or a cart of a publishable key has too many units of the variant.",
  unknown_medium: "There is no such medium.",
  unknown_customer: "There is no such customer.",
  unverified_contact: "The customer has verified neither an email nor a phone.",
  unverified_email: "The customer has not verified the email that the consent is for.",
  unknown_line_item: "The order has no such line item.",
  unknown_option: "The product has no such option.",
  unknown_order: "There is no such order.",
  unknown_collection: "There is no such collection.",
  collection_levels: "The collection would stand below itself, or in too many levels.",
  related_to_itself: "A product is not related to itself.",
  rule_empty: "The rule names nothing, so every product would meet it.",
  rule_kept: "A collection with a rule keeps one, and one without a rule gets none.",
} as const;

/** Why terms of discounts, taxes and shipping cannot be. */
const priceFaults = {
  percent_invalid: "The percentage is not a decimal number from 0 to 100.",
  rate_precision: "The percentage has more than four decimals.",
  scope_empty: "The scope names nothing, so it would match no line item.",
  unknown_discount: "There is no such discount.",
  unknown_product: "There is no such product.",
  unknown_shipping_rate: "There is no such shipping rate, or it is not active.",
  unknown_pickup_location: "There is no such pickup location, or it is not active.",
  unknown_shipping_zone: "There is no such shipping zone.",
  unknown_tax_class: "No tax rate has this class.",
  dates_backwards: "The end is not later than the start.",
  too_many_automatic: "The shop has as many active automatic discounts as it may.",
  overlapping_zones: "Another shipping zone has the same place.",
} as const;

/** Why the shop does not call a URL. */
const urlFaults = {
  url_address_not_public: "The host is an address of a private network.",
  url_has_credentials: "The URL contains a user name or a password.",
  url_has_fragment: "The URL contains a fragment.",
  url_host_not_allowed: "The host is not a public name, or it is this server.",
  url_malformed: "The text is not a URL.",
  url_port_not_allowed: "The port is not one that webhooks are sent to.",
  url_scheme_not_allowed: "The scheme must be https; in test mode http is allowed on loopback.",
  url_too_long: "The URL is too long.",
} as const;

/** Faults of headers beside those of their shape. */
export const headerFaults = {
  version_not_compared: "The operation compares no versions, so it takes none in `If-Match`.",
} as const;

/** Faults of query parameters and periods beside those of their shape. */
export const parameterFaults = {
  unknown_parameter: "There is no parameter with this name.",
  not_after_from: "`to` is not later than `from`.",
  period_too_long: "The period has too many years.",
  too_many_points: "The period has too many intervals; choose a longer interval.",
} as const;

/** Faults of the values of a body. */
export const requestFaults = {
  ...shapeFaults,
  ...saleFaults,
  ...shopFaults,
  ...priceFaults,
  ...urlFaults,
} as const;

/** The meaning of every code, as a complete sentence. */
export const faultMeanings = {
  ...jsonFaults,
  ...requestFaults,
  ...headerFaults,
  ...parameterFaults,
} as const;

/** A password is among the first that are tried; the API takes none. */
type PasswordFault = "easy_to_guess";

export type FaultCode = keyof typeof faultMeanings | PasswordFault;

/** One fault and its place: a JSON Pointer into the body, a parameter, or a header. */
export interface Fault {
  readonly code: FaultCode;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}
