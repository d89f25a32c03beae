// The routes of discounts and their codes.

import { staleVersion } from "#kernel/change.ts";
import { pathId, type PathParameter } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { addCodes, deleteCode } from "./codes.ts";
import {
  CODE_PATTERN,
  discountCodeNotFound,
  discountCodeTaken,
  discountIsAutomatic,
  isCode,
} from "./discount-code.ts";
import { discountInUse, discountNotFound } from "./discount.ts";
import { getDiscount, listCodes, listDiscounts } from "./lookups.ts";
import {
  discountChangeSchema,
  discountQuerySchema,
  newCodesSchema,
  newDiscountSchema,
  readDiscountChange,
  readDiscountFilters,
  readNewCodes,
  readNewDiscount,
} from "./request-schema.ts";
import { addedCodesWire, discountCodeWire, discountWire } from "./schema.ts";
import { createDiscount, deleteDiscount, updateDiscount } from "./update-discount.ts";

const tag = "Discounts";
const params = { id: pathId("discount", discountNotFound) };
const code: PathParameter<string> = {
  pattern: CODE_PATTERN,
  description: "The code, in upper or lower case.",
  notFound: discountCodeNotFound,
  accepts: (text): text is string => isCode(text),
};

export const discountRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/discounts",
    operationId: "listDiscounts",
    tag,
    summary: "List discounts, newest first",
    scopes: ["discounts:read"],
    query: discountQuerySchema,
    response: discountWire,
    handler: (db, { query, page, now }) =>
      listDiscounts(db, readDiscountFilters(query), { now, page }),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/discounts",
    operationId: "createDiscount",
    tag,
    summary: "Create a discount",
    description:
      "Give one of `percent`, `amounts` and `buy_get`. A discount without codes applies by itself; a shop has at most 20 of these that are neither ended nor archived. With `automatic: false` it applies by codes that are added later. Stackable discounts apply together, any other alone, and the customer gets what saves most.",
    scopes: ["discounts:write"],
    body: newDiscountSchema,
    response: discountWire,
    status: 201,
    location: (discount) => `/v2/discounts/${discount.id}`,
    refusals: [discountCodeTaken],
    handler: (tx, { body }) => createDiscount(tx, readNewDiscount(body)),
  }),
  readRoute({
    method: "GET",
    path: "/v2/discounts/{id}",
    operationId: "retrieveDiscount",
    tag,
    summary: "Retrieve a discount",
    scopes: ["discounts:read"],
    params,
    response: discountWire,
    handler: (db, { params: { id }, now }) => getDiscount(db, id, now),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/discounts/{id}",
    operationId: "updateDiscount",
    tag,
    summary: "Update a discount, archive or restore it",
    description:
      "Fields that are not given keep their value. Orders that used the discount keep what was agreed. An archived discount applies no more, and its codes stay taken.",
    scopes: ["discounts:write"],
    params,
    body: discountChangeSchema,
    response: discountWire,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      updateDiscount(tx, id, { ...readDiscountChange(body), expected }),
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/discounts/{id}",
    operationId: "deleteDiscount",
    tag,
    summary: "Delete a discount that no order used",
    scopes: ["discounts:write"],
    params,
    response: null,
    status: 204,
    refusals: [staleVersion, discountInUse],
    handler: (tx, { params: { id }, ifMatch }) => deleteDiscount(tx, id, ifMatch),
  }),
  listRoute({
    method: "GET",
    path: "/v2/discounts/{id}/codes",
    operationId: "listDiscountCodes",
    tag,
    summary: "List the codes of a discount in alphabetical order",
    scopes: ["discounts:read"],
    params,
    response: discountCodeWire,
    cursorOf: (row) => row.code,
    handler: (db, { params: { id }, page }) => listCodes(db, id, page),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/discounts/{id}/codes",
    operationId: "createDiscountCodes",
    tag,
    summary: "Create codes of a discount, given or made at random",
    description:
      "Give `codes`, or `count` for codes of a `prefix` and ten random letters and digits that cannot be confused. `usage_limit` is of each code.",
    scopes: ["discounts:write"],
    params,
    body: newCodesSchema,
    response: addedCodesWire,
    refusals: [discountIsAutomatic, discountCodeTaken],
    handler: async (tx, { params: { id }, body }) => ({
      codes: await addCodes(tx, id, readNewCodes(body)),
    }),
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/discounts/{id}/codes/{code}",
    operationId: "deleteDiscountCode",
    tag,
    summary: "Delete a code that no order used",
    scopes: ["discounts:write"],
    params: { ...params, code },
    response: null,
    status: 204,
    refusals: [discountInUse],
    handler: (tx, { params: { id, code: typed } }) => deleteCode(tx, id, typed),
  }),
];
