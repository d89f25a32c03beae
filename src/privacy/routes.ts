// The routes of a customer: what is kept of them, taking them out of it, and deleting one who never ordered.

import { customerHasOrders, customerNotFound } from "#customers/customer.ts";
import { customerSchema, presentCustomer } from "#customers/schema.ts";
import { staleVersion } from "#kernel/version.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";

import { deleteCustomer } from "./delete-customer.ts";
import { eraseCustomer } from "./erase-customer.ts";
import { exportCustomer } from "./export-customer.ts";
import { customerExportSchema, presentCustomerExport } from "./schema.ts";

const customer = { id: pathId("customer", customerNotFound) };

export const privacyRoutes: readonly Route[] = [
  writeRoute({
    method: "DELETE",
    path: "/v2/customers/{id}",
    tag: "Customers",
    summary: "Delete a customer without orders",
    description: "Their carts stay, without anything that says whose they were.",
    scopes: ["customers:write"],
    params: customer,
    response: null,
    status: 204,
    refusals: [customerHasOrders, staleVersion],
    handler: (tx, { params: { id }, ifMatch }) => deleteCustomer(tx, id, ifMatch),
  }),
  workflowRoute({
    method: "GET",
    path: "/v2/customers/{id}/export",
    tag: "Customers",
    summary: "Export all that is kept of a customer",
    scopes: ["customers:read"],
    params: customer,
    response: customerExportSchema,
    handler: async (shop, { params: { id } }) =>
      presentCustomerExport(await exportCustomer(shop, id)),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/customers/{id}/erase",
    tag: "Customers",
    summary: "Erase the customer and keep the record",
    description:
      "Removes names, contacts, streets, tags, notes and metadata from the customer, their orders and payments, from events and stored answers.",
    scopes: ["customers:write"],
    params: customer,
    response: customerSchema,
    refusals: [staleVersion],
    handler: async (tx, { params: { id }, ifMatch }) =>
      presentCustomer(await eraseCustomer(tx, id, ifMatch)),
  }),
];
