// The routes of customers. Those that also read or change carts, orders and payments are in privacy/.

import { mapPage } from "#kernel/page.ts";
import { staleVersion } from "#kernel/version.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { createCustomer } from "./create-customer.ts";
import { customerErased, customerExists, customerNotFound } from "./customer.ts";
import { getCustomer, listCustomers } from "./queries.ts";
import {
  customerChangeSchema,
  customerQuerySchema,
  customerSchema,
  presentCustomer,
  readCustomerChange,
  readCustomerSearch,
} from "./schema.ts";
import { updateCustomer } from "./update-customer.ts";

const tag = "Customers";
const params = { id: pathId("customer", customerNotFound) };

export const customerRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/customers",
    operationId: "listCustomers",
    tag,
    summary: "List customers",
    scopes: ["customers:read"],
    query: customerQuerySchema,
    response: customerSchema,
    handler: async (db, { query, page }) =>
      mapPage(await listCustomers(db, readCustomerSearch(query), page), presentCustomer),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/customers",
    operationId: "createCustomer",
    tag,
    summary: "Create a customer",
    description: "An email or a phone is required.",
    scopes: ["customers:write", "customers:create"],
    body: customerChangeSchema,
    response: customerSchema,
    status: 201,
    location: (customer) => `/v2/customers/${customer.id}`,
    refusals: [customerExists],
    handler: async (tx, { body }) =>
      presentCustomer(await createCustomer(tx, readCustomerChange(body))),
  }),
  readRoute({
    method: "GET",
    path: "/v2/customers/{id}",
    operationId: "retrieveCustomer",
    tag,
    summary: "Retrieve a customer",
    scopes: ["customers:read"],
    params,
    response: customerSchema,
    refusals: [customerNotFound],
    handler: async (db, { params: { id } }) => presentCustomer(await getCustomer(db, id)),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/customers/{id}",
    operationId: "updateCustomer",
    tag,
    summary: "Update a customer",
    description: "Fields that are not given keep their value.",
    scopes: ["customers:write"],
    params,
    body: customerChangeSchema,
    response: customerSchema,
    refusals: [customerNotFound, customerExists, customerErased, staleVersion],
    handler: async (tx, { params: { id }, body, ifMatch: expected }) =>
      presentCustomer(await updateCustomer(tx, id, { change: readCustomerChange(body), expected })),
  }),
];
