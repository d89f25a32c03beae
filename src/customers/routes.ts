// The routes of customers. Those that also read or change carts, orders and payments are in privacy/.

import { staleVersion } from "#kernel/change.ts";
import { inTenMinutes } from "#platform/http/contract/budget-terms.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { createCustomer, signUpCustomer } from "./create-customer.ts";
import { customerErased, customerExists, customerNotFound } from "./customer.ts";
import { lockCustomer, searchCustomers } from "./lookups.ts";
import { customerRows } from "./queries.ts";
import {
  customerChangeSchema,
  customerQuerySchema,
  customerWire,
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
    response: customerWire,
    handler: (db, { query, page }) => searchCustomers(db, readCustomerSearch(query), page),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/customers",
    operationId: "createCustomer",
    tag,
    summary: "Create a customer",
    description:
      "An email or a phone is required. A publishable key makes an unverified customer, and is answered alike for a contact that a customer has: that customer stays as it is.",
    scopes: ["customers:write", "customers:create"],
    budgets: inTenMinutes("new customers", { narrow: 20, wide: 320 }),
    body: customerChangeSchema,
    response: customerWire,
    status: 201,
    location: (customer) => `/v2/customers/${customer.id}`,
    refusals: [customerExists],
    handler: (tx, { body, caller: { isPublic } }) =>
      (isPublic ? signUpCustomer : createCustomer)(tx, readCustomerChange(body)),
  }),
  readRoute({
    method: "GET",
    path: "/v2/customers/{id}",
    operationId: "retrieveCustomer",
    tag,
    summary: "Retrieve a customer",
    scopes: ["customers:read"],
    params,
    response: customerWire,
    refusals: [customerNotFound],
    handler: (db, { params: { id } }) => customerRows.get(db, id),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/customers/{id}",
    operationId: "updateCustomer",
    tag,
    summary: "Update a customer",
    description: "Fields that are not given keep their value.",
    audit: { before: async (tx, { id }) => customerWire.present(await lockCustomer(tx, id)) },
    scopes: ["customers:write"],
    params,
    body: customerChangeSchema,
    response: customerWire,
    refusals: [customerNotFound, customerExists, customerErased, staleVersion],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      updateCustomer(tx, id, { change: readCustomerChange(body), expected }),
  }),
];
