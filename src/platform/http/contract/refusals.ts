// Refusals of the HTTP layer, made before or around a handler.

import { defineRefusal } from "#kernel/refusal.ts";

export const apiKeyInvalid = defineRefusal(
  "api_key_invalid",
  "unauthenticated",
  "A valid API key is required.",
);
export const scopeMissing = defineRefusal(
  "scope_missing",
  "forbidden",
  "The API key lacks the scope of this operation.",
);
export const rateLimited = defineRefusal(
  "rate_limited",
  "limited",
  "Too many requests in the last 60 seconds.",
);
export const routeNotFound = defineRefusal("not_found", "not_found", "There is no such path.");
export const methodNotAllowed = defineRefusal(
  "method_not_allowed",
  "method_not_allowed",
  "The path does not support this method.",
);
export const mediaTypeUnsupported = defineRefusal(
  "media_type_unsupported",
  "unsupported",
  "The body must be application/json in UTF-8, without content encoding.",
);
export const bodyTooLarge = defineRefusal(
  "body_too_large",
  "too_large",
  "The body is larger than 1 MiB.",
);
export const jsonMalformed = defineRefusal(
  "json_malformed",
  "malformed",
  "The body is not strict JSON.",
);
export const queryInvalid = defineRefusal(
  "query_invalid",
  "malformed",
  "The query parameters are not valid.",
);
export const headerInvalid = defineRefusal(
  "header_invalid",
  "malformed",
  "A request header is not valid.",
);
export const cursorInvalid = defineRefusal(
  "invalid_cursor",
  "malformed",
  "The cursor is damaged, or belongs to another list or other filters.",
);
export const idempotencyKeyInvalid = defineRefusal(
  "idempotency_key_invalid",
  "malformed",
  "The idempotency key must have 1 to 255 visible ASCII characters.",
);
export const idempotencyInProgress = defineRefusal(
  "idempotency_in_progress",
  "conflict",
  "The first request with this idempotency key is still running.",
);
export const internalError = defineRefusal(
  "internal_error",
  "internal",
  "The server failed to handle the request.",
);
