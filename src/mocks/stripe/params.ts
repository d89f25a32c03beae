// The parameters that each call of Stripe's API takes. A parameter that is not listed is refused, although Stripe may take it: the
// lists have what an adapter of this shop sends, and each name must be one of the official types.

import type Stripe from "stripe";

import { invalid, missingParameter, unknownParameter } from "./errors.ts";
import { type Tree, treeAt } from "./form.ts";

interface Fit {
  readonly fits: (given: string) => boolean;
  readonly message: string;
  readonly code: string | null;
}

/** The texts that are taken. */
const textChecks = {
  text: { fits: () => true, message: "Invalid string", code: null },
  integer: {
    fits: (given) => /^-?\d{1,15}$/.test(given),
    message: "Invalid integer",
    code: "parameter_invalid_integer",
  },
  boolean: {
    fits: (given) => given === "true" || given === "false",
    message: "Invalid boolean",
    code: null,
  },
  url: { fits: (given) => URL.canParse(given), message: "Not a valid URL", code: "url_invalid" },
  email: {
    fits: (given) => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(given),
    message: "Invalid email address",
    code: "email_invalid",
  },
} satisfies Record<string, Fit>;
type TextCheck = keyof typeof textChecks;
type Check = TextCheck | "metadata" | "texts" | Values;
/** One of these. */
type Values = readonly string[];

interface Rule {
  readonly is: Check | Rules;
  readonly isRequired: boolean;
}
type Rules = { readonly [name: string]: Rule };
/** Rules by names of the official type alone. */
type RulesOf<T> = { readonly [K in keyof T]?: Rule };

const may = (is: Check | Rules): Rule => ({ is, isRequired: false });
const must = (is: Check | Rules): Rule => ({ is, isRequired: true });

const range = { gt: may("integer"), gte: may("integer"), lt: may("integer"), lte: may("integer") };
const page = { limit: may("integer"), starting_after: may("text"), ending_before: may("text") };

const intentData = {
  description: may("text"),
  metadata: may("metadata"),
} satisfies RulesOf<Stripe.Checkout.SessionCreateParams.PaymentIntentData>;

const priceData = {
  currency: must("text"),
  unit_amount: must("integer"),
  product_data: must({ name: must("text") }),
} satisfies RulesOf<Stripe.Checkout.SessionCreateParams.LineItem.PriceData>;

export const sessionCreate = {
  mode: must(["payment"]),
  success_url: must("url"),
  cancel_url: may("url"),
  client_reference_id: may("text"),
  customer_email: may("email"),
  expires_at: may("integer"),
  metadata: may("metadata"),
  payment_intent_data: may(intentData),
  line_items: must({ 0: must({ quantity: must("integer"), price_data: must(priceData) }) }),
  adaptive_pricing: may({ enabled: may("boolean") }),
  expand: may("texts"),
} satisfies RulesOf<Stripe.Checkout.SessionCreateParams>;

export const sessionList = {
  ...page,
  created: may(range),
  payment_intent: may("text"),
  status: may("text"),
  expand: may("texts"),
} satisfies RulesOf<Stripe.Checkout.SessionListParams>;

export const intentCreate = {
  amount: must("integer"),
  currency: must("text"),
  description: may("text"),
  metadata: may("metadata"),
  automatic_payment_methods: may({ enabled: must("boolean"), allow_redirects: may("text") }),
  expand: may("texts"),
} satisfies RulesOf<Stripe.PaymentIntentCreateParams>;

export const intentConfirm = {
  payment_method: may("text"),
  payment_method_data: may({ type: must("text"), card: must({ token: must("text") }) }),
  confirmation_token: may("text"),
  return_url: may("url"),
  use_stripe_sdk: may("boolean"),
  expand: may("texts"),
} satisfies RulesOf<Stripe.PaymentIntentConfirmParams>;

export const intentCancel = {
  cancellation_reason: may(["abandoned", "duplicate", "fraudulent", "requested_by_customer"]),
  expand: may("texts"),
} satisfies RulesOf<Stripe.PaymentIntentCancelParams>;

export const intentList = {
  ...page,
  created: may(range),
  expand: may("texts"),
} satisfies RulesOf<Stripe.PaymentIntentListParams>;

export const refundCreate = {
  payment_intent: may("text"),
  charge: may("text"),
  amount: may("integer"),
  reason: may(["duplicate", "fraudulent", "requested_by_customer"]),
  metadata: may("metadata"),
  expand: may("texts"),
} satisfies RulesOf<Stripe.RefundCreateParams>;

export const refundList = {
  ...page,
  created: may(range),
  payment_intent: may("text"),
  charge: may("text"),
  expand: may("texts"),
} satisfies RulesOf<Stripe.RefundListParams>;

export const disputeList = refundList satisfies RulesOf<Stripe.DisputeListParams>;

export const transactionList = {
  ...page,
  created: may(range),
  currency: may("text"),
  payout: may("text"),
  source: may("text"),
  type: may("text"),
  expand: may("texts"),
} satisfies RulesOf<Stripe.BalanceTransactionListParams>;

export const payoutList = {
  ...page,
  created: may(range),
  arrival_date: may(range),
  status: may("text"),
  expand: may("texts"),
} satisfies RulesOf<Stripe.PayoutListParams>;

export const endpointCreate = {
  url: must("url"),
  enabled_events: must("texts"),
  api_version: may("text"),
  description: may("text"),
  metadata: may("metadata"),
} satisfies RulesOf<Stripe.WebhookEndpointCreateParams>;

export const endpointList = page satisfies RulesOf<Stripe.WebhookEndpointListParams>;

/** A read by id. */
export const onlyExpand = { expand: may("texts") } satisfies RulesOf<Stripe.RefundRetrieveParams>;

/** Parameters that were checked. */
export class Params {
  readonly #tree: Tree;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  text(...path: readonly string[]): string | null {
    const found = treeAt(this.#tree, path);
    return typeof found === "string" && found !== "" ? found : null;
  }

  integer(...path: readonly string[]): number | null {
    const text = this.text(...path);
    return text === null ? null : Number(text);
  }

  /** A hash of texts; empty if it is absent. */
  texts(...path: readonly string[]): Record<string, string> {
    const found = treeAt(this.#tree, path);
    if (found === undefined || typeof found === "string") return {};
    return Object.fromEntries(Object.entries(found).filter((one) => isText(one)));
  }

  list(...path: readonly string[]): string[] {
    return Object.values(this.texts(...path));
  }
}

/** The parameters as the call takes them; else refused as Stripe refuses the first that is wrong. */
export function checkParams(tree: Record<string, Tree>, rules: Rules): Params {
  checkRules(tree, rules, "");
  return new Params(tree);
}

function checkRules(tree: Tree, rules: Rules, inside: string): void {
  if (typeof tree === "string") throw invalid("Invalid hash", { param: inside });
  for (const name of Object.keys(tree)) {
    if (rules[name] === undefined) throw unknownParameter(nameOf(inside, name));
  }
  for (const [name, { is, isRequired }] of Object.entries(rules)) {
    const [param, given] = [nameOf(inside, name), tree[name]];
    if (given !== undefined) checkValue(given, is, param);
    else if (isRequired) throw missingParameter(param);
  }
}

function checkValue(given: Tree, is: Check | Rules, param: string): void {
  if (isRules(is)) checkRules(given, is, param);
  else if (is === "metadata") checkMetadata(given, param);
  else if (is === "texts") checkTexts(given, param);
  else if (typeof given !== "string") throw invalid("Invalid string", { param });
  else checkText(given, is, param);
}

function checkText(given: string, is: TextCheck | Values, param: string): void {
  if (given === "") {
    const message = `You passed an empty string for '${param}'.`;
    throw invalid(message, { code: "parameter_invalid_empty", param });
  }
  if (typeof is !== "string") {
    if (is.includes(given)) return;
    throw invalid(`Invalid ${param}: must be one of ${is.join(", ")}`, { param });
  }
  const { fits, message, code }: Fit = textChecks[is];
  if (fits(given)) return;
  throw invalid(`${message}: ${given}`, { ...(code === null ? {} : { code }), param });
}

/** At most 50 texts of 500 characters, by names of 40 (docs, Metadata). */
function checkMetadata(given: Tree, param: string): void {
  if (typeof given === "string") throw invalid("Metadata must be a hash", { param });
  const entries = Object.entries(given);
  if (entries.length > 50) throw invalid("You can have up to 50 metadata keys.", { param });
  for (const [name, text] of entries) {
    const isFine = typeof text === "string" && text.length <= 500 && name.length <= 40;
    if (!isFine) throw invalid("Metadata values can have up to 500 characters", { param });
  }
}

function checkTexts(given: Tree, param: string): void {
  const values = typeof given === "string" ? [] : Object.values(given);
  if (values.length === 0 || values.some((one) => typeof one !== "string")) {
    throw invalid("Invalid array", { param });
  }
}

function isRules(is: Check | Rules): is is Rules {
  return typeof is === "object" && !Array.isArray(is);
}

function isText(one: [string, Tree]): one is [string, string] {
  return typeof one[1] === "string";
}

function nameOf(inside: string, name: string): string {
  return inside === "" ? name : `${inside}[${name}]`;
}
