// The answers of Paystack: an envelope whose `status` is of the call alone, and its errors.

import type { Reply } from "#mocks/vendor-server.ts";

/** The vendor refuses the call. Nothing has changed. */
export class PaystackRefusal extends Error {
  readonly status: number;
  readonly code: string | null;

  constructor(status: number, message: string, code: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const json = { "content-type": "application/json; charset=utf-8" };

export function reply(status: number, body: object, headers: Reply["headers"] = {}): Reply {
  return { status, headers: { ...json, ...headers }, body: JSON.stringify(body) };
}

export function refusalReply({ status, message, code }: PaystackRefusal): Reply {
  const meta = { nextStep: "Read the documentation of the call." };
  const type = status >= 500 ? "api_error" : "validation_error";
  return reply(status, { status: false, message, meta, type, ...(code === null ? {} : { code }) });
}

export const rateLimited = reply(
  429,
  { status: false, message: "Too many requests.", type: "api_error", code: "rate_limited" },
  { "x-ratelimit-limit": "100", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "2" },
);

export const broken = reply(500, { status: false, message: "An error occurred." });
