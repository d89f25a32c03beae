// Refusals: the only way for the shop to reject a request. Each is declared once beside the noun that makes it,
// has a stable code, and is thrown. Any other exception is a bug, and its message is never sent to a caller.

/** The kind of a refusal; `platform/http` maps each kind to one HTTP status. */
export type RefusalKind =
  | "malformed"
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "stale"
  | "too_large"
  | "unsupported"
  | "limited"
  | "internal"
  | "unavailable";

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
  card_token_unknown: "The simulated gateway does not know this card token.",
  scopes_of_other_kind: "The scopes belong to the other kind of API key.",
  compare_at_too_low: "The former price (`compare_at`) is below the price.",
  conflicting_fields: "Two fields exclude each other; send one of them.",
  currency_mismatch: "The currency is not the currency of the order.",
  currency_not_supported: "The gateway does not accept this currency.",
  invalid_length: "The text is empty or too long.",
  mixed_forms: "The field belongs to each variant, since the product is given with variants.",
  deposit_paid: "The deposit of the order is paid already.",
  guard_required: "Without an `Idempotency-Key` or `If-Match`, sent twice, it would act twice.",
  less_than_refunded: "The amount is less than the refunds of the payment.",
  more_than_left: "The quantity is greater than what can still be refunded of the line item.",
  more_than_open: "The quantity is greater than what is neither fulfilled nor cancelled.",
  more_than_paid: "The amount is greater than what was paid and is no longer owed.",
  more_than_shipped: "The quantity is greater than what was shipped and has not come back.",
  not_in_the_future: "The time must be in the future.",
  option_in_use: "A variant uses the option or value that would be removed.",
  out_of_range: "The number or time is outside of the allowed range.",
  return_host_not_allowed: "Customers may not be sent to this host after a payment.",
  too_many_units: "An order of a publishable key has too many units of the variant.",
  unknown_customer: "There is no such customer.",
  unknown_line_item: "The order has no such line item.",
  unknown_option: "The product has no such option.",
  unknown_order: "There is no such order.",
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

/** Faults of query parameters and periods beside those of their shape. */
export const parameterFaults = {
  unknown_parameter: "There is no parameter with this name.",
  not_after_from: "`to` is not later than `from`.",
  period_too_long: "The period has too many years.",
  too_many_points: "The period has too many intervals; choose a longer interval.",
} as const;

/** The meaning of every code, as a complete sentence. */
export const faultMeanings = {
  ...jsonFaults,
  ...shapeFaults,
  ...saleFaults,
  ...shopFaults,
  ...urlFaults,
  ...parameterFaults,
} as const;

export type FaultCode = keyof typeof faultMeanings;

/** One fault and its place: a JSON Pointer into the body, a parameter, or a header. */
export interface Fault {
  readonly code: FaultCode;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

const text = (description: string) => ({ type: "string", description });
const units = (description: string) => ({ type: "integer", description });
const texts = (description: string) => ({ type: "array", items: { type: "string" }, description });
const idOrNull = (description: string) => ({ type: ["string", "null"], description });
/** Marks a member that publishable keys are told too; what is not marked is left out for them. */
const told = { "x-audience": "public" } as const;
/** Stock is told to publishable keys between these bounds alone. */
export const PUBLIC_STOCK = { minimum: 0, maximum: 20 } as const;

/** JSON Schema of the members that refusals add to a problem; a member means the same with every code. */
export const problemMembers = {
  items: {
    ...told,
    type: "array",
    description: "With `insufficient_stock`: every variant that is short.",
    items: {
      type: "object",
      required: ["variant_id", "requested"],
      additionalProperties: false,
      properties: {
        variant_id: { ...told, ...text("The id of the variant.") },
        requested: { ...told, ...units("Units that the request needs.") },
        available: { ...told, "x-public": PUBLIC_STOCK, ...units("Units that can be ordered.") },
        on_hand: units("In place of `available`, where units are to be shipped."),
      },
    },
  },
  existing_id: idOrNull("The object that has the unique value; null if it is not known yet."),
  field: text("The field with the unique value."),
  sku: text("The SKU that is taken."),
  order_id: { ...told, ...idOrNull("The order that is paid, or that the cart became.") },
  order_ids: texts("The customer's open orders, newest first, at most 100."),
  payment_id: text("The payment that has the reference."),
  reference: text("The payment that the same request continues."),
  method: { ...told, ...text("The payment method that the shop cannot take.") },
  available_methods: { ...told, ...texts("The payment methods that the shop takes.") },
  refundable_minor: units("What can still be refunded, in minor units."),
  total: { ...told, type: "number", description: "What the order comes to now, in major units." },
  total_minor: { ...told, ...units("The same in minor units.") },
  currency: { ...told, ...text("The currency of `refundable_minor` or of `total`.") },
  on_hand: units("The units on hand now."),
  current_version: { ...told, ...units("The version of the resource now.") },
  from: { ...told, ...text("The state of the object.") },
  action: { ...told, ...text("What the state does not allow.") },
  allowed: { ...told, ...texts("The actions that the state allows.") },
  scopes: { ...told, ...texts("The missing scopes; of several alternatives one is enough.") },
} as const;

/** Escapes a member's name as one step of a JSON Pointer (RFC 6901, section 3). */
export function toPointerStep(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The member's name of an escaped step. */
export function fromPointerStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Details of one occurrence. `members` become top-level members of the response. */
export interface RefusalDetails {
  readonly detail?: string;
  readonly faults?: readonly Fault[];
  readonly members?: { readonly [Name in keyof typeof problemMembers]?: unknown };
  /** Headers the response must carry, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the error reference says about a refusal, in complete sentences with Markdown's code spans. */
export interface Explanation {
  /** Why a request is refused with this code. */
  readonly cause: string;
  /** What the caller can do. */
  readonly remedy: string;
  /** The meanings of the codes that `errors` can have. */
  readonly faults?: Readonly<Partial<Record<FaultCode, string>>>;
  /** A typical occurrence. */
  readonly example?: RefusalDetails;
}

/** A declared refusal: calling it makes the error to throw. */
export interface RefusalDefinition {
  (details?: RefusalDetails): Refusal;
  readonly code: string;
  readonly kind: RefusalKind;
  readonly title: string;
  /** Null for a refusal that the API does not return. */
  readonly explanation: Explanation | null;
}

/** Thrown by rules and stories; the transaction that it leaves is rolled back. */
export class Refusal extends Error {
  readonly definition: RefusalDefinition;
  readonly details: RefusalDetails;

  constructor(definition: RefusalDefinition, details: RefusalDetails) {
    super(details.detail ?? definition.title);
    this.name = "Refusal";
    this.definition = definition;
    this.details = details;
  }
}

/** All refusals of an id have the same cause. */
const unknownId: Explanation = {
  cause:
    "The shop of the key's mode has no object with this id: the id is wrong, the object was deleted, or it belongs to the other mode.",
  remedy: "Check the id, and use a key of the mode in which the object was created.",
};

/**
 * Declares a refusal. A code keeps its kind forever: callers branch on both. The explanation of kind
 * `not_found` is known; every other refusal of the API has its own.
 */
export function defineRefusal(
  code: string,
  kind: RefusalKind,
  words: string | (Explanation & { readonly title: string }),
): RefusalDefinition {
  const title = typeof words === "string" ? words : words.title;
  const known = kind === "not_found" ? unknownId : null;
  const explanation = typeof words === "string" ? known : words;
  const definition: RefusalDefinition = Object.assign(
    (details: RefusalDetails = {}) => new Refusal(definition, details),
    { code, kind, title, explanation },
  );
  return definition;
}

/** A well-formed request that breaks rules; its faults list every broken rule at once. */
export const validationFailed = defineRefusal("validation_failed", "invalid", {
  title: "The request has faults.",
  cause: "The body is well-formed JSON, but its values break rules. `errors` lists every fault.",
  remedy: "Correct each entry of `errors`: `pointer` leads to its value in the body.",
  faults: { ...shapeFaults, ...saleFaults, ...shopFaults, ...urlFaults },
  example: {
    faults: [
      { pointer: "/line_items/0/quantity", code: "too_small", detail: "This must be at least 1." },
    ],
  },
});

/** Collects faults, so that one response reports all of them. */
export class Faults {
  readonly list: Fault[] = [];
  readonly #definitions = new Set<RefusalDefinition>();

  /** Adds a fault at a JSON Pointer into the body, such as `/line_items/0/quantity`. */
  add(pointer: string, code: FaultCode, detail: string): void {
    this.addAs(validationFailed, { pointer, code, detail });
  }

  /** Notes a fault that is refused under this definition where the request has no graver one. */
  addAs(definition: RefusalDefinition, fault: Fault): void {
    this.list.push(fault);
    this.#definitions.add(definition);
  }

  /**
   * Refuses with all faults when any was noted, under the first of `gravity`, the gravest first, that
   * one of them has.
   */
  refuseIfAny(gravity: readonly RefusalDefinition[] = [validationFailed]): void {
    const [first] = this.#definitions;
    const definition = gravity.find((one) => this.#definitions.has(one)) ?? first;
    if (definition !== undefined) throw definition({ faults: this.list });
  }
}
