// The errors of Stripe's API: what its docs call them, and what its messages say.

import type { Reply } from "#mocks/vendor-server.ts";

export interface ErrorBody {
  readonly type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly charge?: string;
  readonly payment_intent?: object;
}

/** An error that the API answers. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

const JSON_TYPE = "application/json";

export function jsonReply(status: number, body: object): Reply {
  return { status, headers: { "content-type": JSON_TYPE }, body: JSON.stringify(body, null, 2) };
}

export function errorReply({ status, body }: StripeRefusal): Reply {
  return jsonReply(status, { error: body });
}

export function invalid(message: string, terms: Partial<ErrorBody> = {}): StripeRefusal {
  return new StripeRefusal(400, { type: "invalid_request_error", message, ...terms });
}

export function unknownParameter(param: string): StripeRefusal {
  return invalid(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
}

export function missingParameter(param: string): StripeRefusal {
  return invalid(`Missing required param: ${param}.`, { code: "parameter_missing", param });
}

/** The object that the path or a parameter names is not in the account. */
export function noSuch(what: string, id: string, terms: { status: number; param: string }) {
  const { status, param } = terms;
  const message = `No such ${what}: '${id}'`;
  const body = { type: "invalid_request_error", code: "resource_missing", message, param } as const;
  return new StripeRefusal(status, body);
}

export function unauthorized(message: string): StripeRefusal {
  return new StripeRefusal(401, { type: "invalid_request_error", message });
}

export const rateLimited = errorReply(
  new StripeRefusal(429, {
    type: "invalid_request_error",
    code: "rate_limit",
    message: "Request rate limit exceeded.",
  }),
);

export const broken = errorReply(
  new StripeRefusal(500, { type: "api_error", message: "An unknown error occurred." }),
);
