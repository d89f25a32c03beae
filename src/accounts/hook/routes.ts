// The routes of the message hook.

import { staleVersion } from "#kernel/change.ts";
import { readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { hookNotFound } from "./hook.ts";
import { hookChangeSchema, hookWire, hookWithSecretWire, readHookChange } from "./schema.ts";
import { getHook, removeHook, rotateHookSecret, setHook } from "./set-hook.ts";

const tag = "Store";
const path = "/v2/message-hook";

export const hookRoutes: readonly Route[] = [
  readRoute({
    method: "GET",
    path,
    operationId: "retrieveMessageHook",
    tag,
    summary: "Retrieve the message hook",
    scopes: ["store:read"],
    response: hookWire,
    refusals: [hookNotFound],
    handler: getHook,
  }),
  writeRoute({
    method: "PUT",
    path,
    operationId: "setMessageHook",
    tag,
    summary: "Create or update the message hook",
    description:
      "The URL takes messages to customers that Duka does not send itself: codes by SMS or WhatsApp. Each is one signed request (Standard Webhooks) with `channel`, `to`, `template`, `text` and `variables`; any status 2xx takes it. The first answer has the `secret`.",
    scopes: ["store:write"],
    answersSecret: true,
    body: hookChangeSchema,
    response: hookWithSecretWire,
    refusals: [staleVersion],
    handler: (tx, { body, caller: { mode }, ifMatch: expected, publicUrl, testReach }) =>
      setHook(tx, readHookChange(body), {
        expected,
        endpoint: { mode, publicUrl, testReach },
      }),
  }),
  writeRoute({
    method: "POST",
    path: `${path}/rotate-secret`,
    operationId: "rotateMessageHookSecret",
    tag,
    summary: "Rotate the secret of the message hook",
    description: "The previous secret signs, too, for 24 hours.",
    scopes: ["store:write"],
    answersSecret: true,
    response: hookWithSecretWire,
    refusals: [hookNotFound],
    handler: (tx) => rotateHookSecret(tx),
  }),
  writeRoute({
    method: "DELETE",
    path,
    operationId: "deleteMessageHook",
    tag,
    summary: "Delete the message hook",
    scopes: ["store:write"],
    response: null,
    status: 204,
    refusals: [hookNotFound],
    handler: (tx) => removeHook(tx),
  }),
];
