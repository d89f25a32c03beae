// The routes of gateways of the shop's own, which people with `connections:write` call from the dashboard. A live gateway
// sends customers back to the public URL, so that one without is refused, as the operator is.

import { staleVersion } from "#kernel/change.ts";
import {
  gatewayCheckFailed,
  gatewayHasPayments,
  gatewayIdInvalid,
  gatewayNotFound,
  putCustom,
  removeCustom,
  rotateSecret,
  tooManyGateways,
} from "#payments/gateways/custom-gateways.ts";
import { gatewayNeedsSetting, publicUrlFault } from "#payments/gateways/vendors.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import type { AuditTerms } from "#platform/http/contract/audit-terms.ts";
import type { PathParameter } from "#platform/http/contract/path.ts";
import { type Route, workflowRoute } from "#platform/http/contract/route.ts";
import { WRITE_CONNECTIONS } from "#shop/people/roles.ts";

import {
  customGatewayWire,
  customGatewayWithSecretWire,
  gatewayChangeSchema,
} from "./gateway-schema.ts";

/** Any text is taken: the story says what an id looks like, and which there is. */
const id: PathParameter<string> = {
  pattern: "^[a-z0-9-]{3,32}$",
  description: "The id of a gateway of the shop's own, with a hyphen.",
  notFound: gatewayNotFound,
  accepts: (text): text is string => text !== "",
};

const terms = {
  tag: "Payments",
  scopes: [WRITE_CONNECTIONS],
  params: { id },
} as const;
/** The id is no id of a record, so that the path does not name the subject. */
const audit: AuditTerms<{ readonly id: string }> = {
  subject: (_db, params) => Promise.resolve(params.id),
};

/** No key can have the scope of these routes. */
export const customGatewayRoutes: readonly Route<PaymentsShop>[] = [
  workflowRoute({
    ...terms,
    method: "PUT",
    path: "/v2/gateways/{id}",
    operationId: "updateGateway",
    summary: "Add a gateway of the shop's own, move it, or retire it",
    audit,
    answersSecret: true,
    body: gatewayChangeSchema,
    response: customGatewayWithSecretWire,
    refusals: [
      gatewayIdInvalid,
      gatewayNotFound,
      tooManyGateways,
      gatewayNeedsSetting,
      staleVersion,
    ],
    handler: async (shop: PaymentsShop, { params, body, ifMatch: expected, finish, ...input }) => {
      const { mode } = shop;
      const { publicUrl, testReach } = input;
      const fault = mode === "live" ? publicUrlFault(publicUrl) : null;
      if (fault !== null) throw gatewayNeedsSetting({ detail: `The public URL ${fault}.` });
      const change = { ...params, ...body, mode, expected, by: { publicUrl, testReach } };
      const saved = await finish((tx) => putCustom(tx, change), asItIs);
      await shop.reopenGateways();
      return saved;
    },
  }),
  workflowRoute({
    ...terms,
    method: "POST",
    path: "/v2/gateways/{id}/check",
    operationId: "checkGateway",
    summary: "Ask the adapter of a gateway what it is, and keep what it says",
    audit,
    response: customGatewayWire,
    refusals: [gatewayNotFound, gatewayCheckFailed],
    handler: async (shop: PaymentsShop, { params, testReach, finish }) => {
      const { mode, database } = shop;
      const { checkCustom } = await import("#payments/gateways/http/check-custom.ts");
      const place = { ...params, mode, testReach };
      const checked = await checkCustom(database.read, place, (story) => finish(story, asItIs));
      await shop.reopenGateways();
      return checked.gateway;
    },
  }),
  workflowRoute({
    ...terms,
    method: "POST",
    path: "/v2/gateways/{id}/rotate-secret",
    operationId: "rotateGatewaySecret",
    summary: "Give a gateway of the shop's own another secret",
    description: "The former secret signs beside it for 24 hours.",
    audit,
    answersSecret: true,
    response: customGatewayWithSecretWire,
    refusals: [gatewayNotFound, staleVersion],
    handler: async (shop: PaymentsShop, { params, ifMatch: expected, finish }) => {
      const rotated = { ...params, mode: shop.mode };
      const saved = await finish((tx) => rotateSecret(tx, rotated, expected), asItIs);
      await shop.reopenGateways();
      return saved;
    },
  }),
  workflowRoute({
    ...terms,
    method: "DELETE",
    path: "/v2/gateways/{id}",
    operationId: "deleteGateway",
    summary: "Delete a gateway of the shop's own at which no payment was begun",
    audit,
    response: null,
    status: 204,
    refusals: [gatewayNotFound, gatewayHasPayments, staleVersion],
    handler: async (shop: PaymentsShop, { params, ifMatch: expected, finish }) => {
      await finish((tx) => removeCustom(tx, params.id, expected), asItIs);
      await shop.reopenGateways();
      return undefined;
    },
  }),
];

function asItIs<T>(done: T): T {
  return done;
}
