// Refusals of the HTTP layer, made before or around a handler.

import { headerFaults, jsonFaults, parameterFaults, shapeFaults } from "#kernel/fault.ts";
import {
  defineMembers,
  defineRefusal,
  member,
  type Members,
  publicMember,
  type Refusal,
} from "#kernel/refusal.ts";
import { serverBusy } from "#platform/database/errors.ts";
import { audienceFaults } from "#platform/http/audience/audience.ts";

export const apiKeyInvalid = defineRefusal("api_key_invalid", "unauthenticated", {
  title: "A valid API key is required.",
  cause:
    "The `Authorization` header is missing or malformed, or its key is unknown, expired or revoked. A page of an origin that is allowed for test keys sent a live key.",
  remedy: "Send `Authorization: Bearer <key>` with a valid key; `duka keys create` makes one.",
});
export const scopeMissing = defineRefusal("scope_missing", "forbidden", {
  title: "The API key lacks the scope of this operation.",
  cause:
    "The key is valid, but has none of the `scopes` that the operation, or a field of its body, needs.",
  remedy: "Use a key with one of these scopes.",
  example: { members: { scopes: ["orders:write"] } },
});
export const rateLimited = defineRefusal("rate_limited", "limited", {
  title: "Too many requests.",
  cause:
    "The shop and mode, or the key, has used its requests of the last 60 seconds; or the client's address has used those that publishable keys have, or their new customers or checkouts of the last 10 minutes.",
  remedy:
    "Wait for the number of seconds in `Retry-After`. The `RateLimit` header tells how many requests are left to the shop or the key.",
  example: { headers: { "Retry-After": "12" } },
});
export const routeNotFound = defineRefusal("not_found", "not_found", {
  title: "There is no such path.",
  cause: "No operation has this path, or it exists in test mode only and the key is a live key.",
  remedy: "Compare the path with the reference. Paths have no slash at their end.",
});
export const methodNotAllowed = defineRefusal("method_not_allowed", "method_not_allowed", {
  title: "The path does not support this method.",
  cause: "The path exists, but not with this method.",
  remedy: "Use one of the methods in the `Allow` header.",
  example: { headers: { Allow: "GET, HEAD, OPTIONS" } },
});
export const wrongHost = defineRefusal("wrong_host", "misdirected", {
  title: "The server does not answer to this host.",
  cause:
    "Without `DUKA_PUBLIC_URL` a server that listens on this machine answers to `localhost` and its addresses alone, and one in a private network also to addresses and to names without a dot. Else a page of a name that leads here could read the shop.",
  remedy:
    "Where a tunnel or a proxy leads to the server, start it with `DUKA_PUBLIC_URL`; else call it by the address that it printed.",
});
export const mediaTypeUnsupported = defineRefusal("media_type_unsupported", "unsupported", {
  title: "The body must be application/json in UTF-8, without content encoding.",
  cause:
    "`Content-Type` is not `application/json`, its charset is not UTF-8, or the body is compressed.",
  remedy:
    "Send the body as JSON in UTF-8 with `Content-Type: application/json` and without `Content-Encoding`.",
});
export const bodyTooLarge = defineRefusal("body_too_large", "too_large", {
  title: "The body is too large.",
  cause:
    "The body has more than 1 MiB, or more than 64 KiB with a publishable key. A picture has more than 20 MiB.",
  remedy: "Split the request into smaller ones, or send a smaller picture.",
});
export const tooManyFields = defineRefusal("too_many_fields", "invalid", {
  title: "The body has too many fields.",
  cause:
    "The objects of the body together have more than 50,000 names, or more than 10,000 with a publishable key.",
  remedy: "Split the request into smaller ones.",
});
export const storageLow = defineRefusal("storage_low", "unavailable", {
  title: "The disk of the shop is almost full.",
  cause:
    "The disk has less room than its reserve, which is kept for live orders: requests of test mode and of publishable keys change nothing meanwhile, and no picture is taken. Nothing was saved.",
  remedy: "Free space on the disk, then retry with the same `Idempotency-Key`.",
  example: { headers: { "Retry-After": "60" } },
});
export const jsonMalformed = defineRefusal("json_malformed", "malformed", {
  title: "The body is not strict JSON.",
  cause: "The body cannot be read as strict JSON, so none of it was looked at.",
  remedy:
    "Correct the place at `pointer`. JSON libraries write strict JSON; texts joined by hand often do not.",
  faults: jsonFaults,
  example: {
    detail: "Expected a value.",
    faults: [{ pointer: "/line_items/0", code: "json_syntax", detail: "Expected a value." }],
  },
});
export const queryInvalid = defineRefusal("query_invalid", "malformed", {
  title: "The query parameters are not valid.",
  cause: "A query parameter is unknown or has a value that is not allowed.",
  remedy: "Correct each entry of `errors`: `parameter` is its name.",
  faults: {
    ...shapeFaults,
    ...audienceFaults,
    unknown_parameter: parameterFaults.unknown_parameter,
  },
  example: {
    faults: [
      {
        parameter: "limits",
        code: "unknown_parameter",
        detail: "There is no such parameter; is it limit?",
      },
    ],
  },
});
export const headerInvalid = defineRefusal("header_invalid", "malformed", {
  title: "A request header is not valid.",
  cause: "A request header has a value that cannot be read, or that the operation cannot honor.",
  remedy: "Correct each entry of `errors`: `header` is its name.",
  faults: { invalid_format: shapeFaults.invalid_format, ...headerFaults },
  example: {
    faults: [
      { header: "If-Match", code: "invalid_format", detail: "An entity tag must be quoted." },
    ],
  },
});
export const cursorInvalid = defineRefusal("invalid_cursor", "malformed", {
  title: "The cursor is damaged, or belongs to another list or other filters.",
  cause: "The cursor was changed, or comes from another list, other filters or another mode.",
  remedy: "Send `next_cursor` unchanged with the same filters, or begin again without a cursor.",
});
export const idempotencyKeyInvalid = defineRefusal("idempotency_key_invalid", "malformed", {
  title: "The idempotency key must have 1 to 255 visible ASCII characters.",
  cause: "The `Idempotency-Key` header is empty, too long, or has other characters.",
  remedy: "Use a random key, such as a UUID, for each operation.",
});
export const idempotencyInProgress = defineRefusal("idempotency_in_progress", "conflict", {
  title: "The first request with this idempotency key is still running.",
  cause: "A request with the same `Idempotency-Key` has not ended yet.",
  remedy:
    "Wait for the number of seconds in `Retry-After` and retry: the response will be that of the first request.",
  example: { headers: { "Retry-After": "1" } },
});
export const internalError = defineRefusal("internal_error", "internal", {
  title: "The server failed to handle the request.",
  cause: "The server met a fault of its own. The log has it under `request_id`.",
  remedy: "Retry with the same `Idempotency-Key`. If it continues, report it with `request_id`.",
});

/** The refusal of a request, or of a part of it, that needs these scopes, as the sentence says. */
export function scopesNeeded(scopes: readonly string[], detail: string): Refusal {
  return scopeMissing({
    detail,
    members: { scopes },
    headers: {
      "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scopes.join(" ")}"`,
    },
  });
}

const scopeMembers = defineMembers({
  scopes: publicMember(member.texts("The missing scopes; of several alternatives one is enough.")),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof scopeMembers> {}
}

/** The terms of a list whose pages are read in parts, to be spread into its route. */
export const walkedList = {
  description:
    "To answer in bounded time, a page looks for two seconds at most. Where filters leave few of many, it can therefore be short, or empty, while `has_more` is true: continue until it is false.",
  refusals: [serverBusy],
};
