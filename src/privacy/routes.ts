// The routes that export, erase and delete a customer across all folders that store personal data.

import { customerHasOrders, customerNotFound, openOrders } from "#customers/customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import { customerWire } from "#customers/schema.ts";
import { staleVersion } from "#kernel/change.ts";
import { newerSchema } from "#platform/database/errors.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";

import { deleteCustomer, eraseCustomer } from "./erase-customer.ts";
import type { AlsoForget } from "./erase-next-orders.ts";
import { exportCustomer } from "./export-customer.ts";
import { customerExportWire } from "./schema.ts";

const customer = { id: pathId("customer", customerNotFound) };

/** The routes; `alsoForget` is told before what this folder knows is removed, and once more if that took several commits. */
export const privacyRoutes = (alsoForget: AlsoForget): readonly Route[] => [
  writeRoute({
    method: "DELETE",
    path: "/v2/customers/{id}",
    operationId: "deleteCustomer",
    tag: "Customers",
    summary: "Delete a customer without orders",
    description: "The customer's carts are kept without personal data.",
    scopes: ["customers:write"],
    params: customer,
    response: null,
    status: 204,
    refusals: [customerHasOrders, staleVersion, newerSchema],
    handler: async (tx, { params: { id }, ifMatch }) => {
      await alsoForget(tx, await lockCustomer(tx, id));
      return deleteCustomer(tx, id, ifMatch);
    },
  }),
  workflowRoute({
    method: "GET",
    path: "/v2/customers/{id}/export",
    operationId: "exportCustomer",
    tag: "Customers",
    summary: "Export all data of a customer",
    audit: { countsRows: true },
    scopes: ["customers:read"],
    params: customer,
    response: customerExportWire,
    handler: (shop, { params: { id } }) => exportCustomer(shop, id),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/customers/{id}/erase",
    operationId: "eraseCustomer",
    tag: "Customers",
    summary: "Erase the personal data of a customer",
    description:
      "Removes names, contacts, streets, tags, notes and metadata from the customer, its carts, orders and payments, and from events, stored responses and the inbox of test mode. The records themselves are kept. A customer with open orders is refused.",
    scopes: ["customers:write"],
    params: customer,
    response: customerWire,
    refusals: [staleVersion, openOrders, newerSchema],
    handler: (shop, { params: { id }, ifMatch: expected }) =>
      eraseCustomer(shop, id, { expected, alsoForget }),
  }),
];
