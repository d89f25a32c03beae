// The routes of a person: what is kept of them, taking them out of it, and deleting one who never ordered.

import { customerHasOrders, customerNotFound } from "#customers/customer.ts";
import { customerSchema, presentCustomer } from "#customers/schema.ts";
import { staleVersion } from "#kernel/version.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { type Route, workflowRoute, writeRoute } from "#platform/http/contract/route.ts";

import { deletePerson } from "./delete-person.ts";
import { erasePerson } from "./erase-person.ts";
import { exportPerson } from "./export-person.ts";
import { personExportSchema, presentPersonExport } from "./schema.ts";

const person = { id: pathId("customer", customerNotFound) };

export const privacyRoutes: readonly Route[] = [
  writeRoute({
    method: "DELETE",
    path: "/v2/customers/{id}",
    tag: "Customers",
    summary: "Delete a customer without orders",
    description: "Their carts stay, without anything that says whose they were.",
    scopes: ["customers:write"],
    params: person,
    response: null,
    status: 204,
    refusals: [customerHasOrders, staleVersion],
    handler: (tx, { params: { id }, ifMatch }) => deletePerson(tx, id, ifMatch),
  }),
  workflowRoute({
    method: "GET",
    path: "/v2/customers/{id}/export",
    tag: "Customers",
    summary: "Export all that is kept of a person",
    scopes: ["customers:read"],
    params: person,
    response: personExportSchema,
    handler: async (shop, { params: { id } }) => presentPersonExport(await exportPerson(shop, id)),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/customers/{id}/erase",
    tag: "Customers",
    summary: "Erase the person and keep the record",
    description:
      "Removes names, contacts, streets, tags, notes and metadata from the customer, their orders and payments, from events and stored answers.",
    scopes: ["customers:write"],
    params: person,
    response: customerSchema,
    refusals: [staleVersion],
    handler: async (tx, { params: { id }, ifMatch }) =>
      presentCustomer(await erasePerson(tx, id, ifMatch)),
  }),
];
