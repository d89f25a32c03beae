// The routes of carts. Completing a cart answers an order and is in `orders/routes.ts`.

import { priceMissing, variantNotForSale } from "#catalog/products/sale.ts";
import { getCustomerOfToken } from "#customers/sessions/lookups.ts";
import { customerSessionInvalid } from "#customers/sessions/session.ts";
import { staleVersion } from "#kernel/change.ts";
import { mapPage } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { inTenMinutes } from "#platform/http/contract/budget-terms.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { pathId } from "#platform/http/contract/path.ts";
import {
  Existing,
  listRoute,
  readRoute,
  type Route,
  writeRoute,
} from "#platform/http/contract/route.ts";
import { requireChargeScope } from "#pricing/shipping/schema.ts";
import { getCartFor, listCarts } from "#sales/carts/lookups.ts";
import {
  cartChangeSchema,
  cartQuerySchema,
  cartWire,
  lineAddedSchema,
  lineChangeSchema,
  readCartChange,
  readCartQuery,
  readLine,
  viewCart,
} from "#sales/carts/schema.ts";
import {
  addCartLine,
  createCart,
  deleteCart,
  startCheckout,
  updateCart,
} from "#sales/carts/update-cart.ts";
import type { CartChange } from "#sales/carts/validate-cart-change.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { linkExpired, linkInvalid } from "#sales/links/link-token.ts";
import { recoverCart } from "#sales/recovery/recover-cart.ts";
import { recoveredCartWire, recoverySchema, viewRecovered } from "#sales/recovery/schema.ts";
import { cartLineNotFound, removeLine, updateLine } from "#sales/rows/cart-lines.ts";
import {
  cartCompleted,
  cartEmpty,
  cartExpired,
  cartNotFound,
  type PricedCart,
} from "#sales/rows/cart.ts";

const tag = "Carts";
const params = { id: pathId("cart", cartNotFound) };
const lineParams = { ...params, line_id: pathId("cartLine", cartLineNotFound) };
/** The refusals of a change of a cart. */
const refusals = [
  staleVersion,
  cartCompleted,
  cartExpired,
  variantNotForSale,
  priceMissing,
  customerSessionInvalid,
];

interface GivenChange {
  readonly body: Parameters<typeof readCartChange>[0];
  readonly caller: Caller;
  readonly customerToken: string | null;
}

/**
 * The changes of the body. Refuses with `scope_missing` a charge for shipping that the caller may not name, and with
 * `customer_session_invalid`.
 */
async function changeOf(tx: Tx, { body, caller, customerToken }: GivenChange): Promise<CartChange> {
  await requireChargeScope(tx, caller, body);
  return readCartChange(body, caller, await getCustomerOfToken(tx, customerToken, tx.now));
}

/** The row of the answer. */
async function view(db: Reader, priced: PricedCart) {
  return viewCart(priced, await getLinkTerms(db));
}

export const cartRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/carts",
    operationId: "listCarts",
    tag,
    summary: "List carts, newest first",
    scopes: ["carts:read"],
    query: cartQuerySchema,
    response: cartWire,
    handler: async (db, { query, page, now }) => {
      const linkTerms = await getLinkTerms(db);
      const listed = await listCarts(db, { filters: readCartQuery(query), atMs: now }, page);
      return mapPage(listed, (one) => viewCart(one, linkTerms));
    },
  }),
  writeRoute({
    method: "POST",
    path: "/v2/carts",
    operationId: "createCart",
    tag,
    summary: "Create a cart",
    description:
      "A cart reserves no stock. Its prices follow the catalog until the cart is completed.",
    audit: false,
    scopes: ["carts:write", "carts:use"],
    body: cartChangeSchema,
    response: cartWire,
    status: 201,
    location: (cart) => `/v2/carts/${cart.id}`,
    takesCustomer: true,
    refusals: [variantNotForSale, priceMissing, customerSessionInvalid],
    handler: async (tx, input) => view(tx, await createCart(tx, await changeOf(tx, input))),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/carts/recover",
    operationId: "recoverCart",
    tag,
    summary: "Recover the cart of a recovery link",
    description:
      "Returns the cart at current prices and the changes since the customer last saw it. If the cart has been completed, `cart_completed` carries the order's id.",
    audit: false,
    scopes: ["carts:read", "carts:write", "carts:use"],
    body: recoverySchema,
    response: recoveredCartWire,
    refusals: [linkInvalid, linkExpired, cartCompleted, cartExpired],
    handler: async (tx, { body }) =>
      viewRecovered(await recoverCart(tx, body.token), await getLinkTerms(tx)),
  }),
  readRoute({
    method: "GET",
    path: "/v2/carts/{id}",
    operationId: "retrieveCart",
    tag,
    summary: "Retrieve a cart at current prices",
    scopes: ["carts:read", "carts:use"],
    params,
    response: cartWire,
    takesCustomer: true,
    refusals: [customerSessionInvalid],
    handler: async (db, { params: { id }, caller: { isPublic }, customerToken, now }) => {
      const signedIn = await getCustomerOfToken(db, customerToken, now);
      return view(db, await getCartFor(db, id, { visitor: { signedIn, isPublic }, atMs: now }));
    },
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/carts/{id}",
    operationId: "updateCart",
    tag,
    summary: "Update a cart",
    description: "Replaces the fields that are given and keeps the others.",
    audit: false,
    scopes: ["carts:write", "carts:use"],
    params,
    body: cartChangeSchema,
    response: cartWire,
    takesCustomer: true,
    refusals,
    handler: async (tx, { params: { id }, ifMatch: expected, ...given }) =>
      view(tx, await updateCart(tx, id, { change: await changeOf(tx, given), expected })),
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/carts/{id}",
    operationId: "deleteCart",
    tag,
    summary: "Delete a cart",
    audit: false,
    scopes: ["carts:write", "carts:use"],
    params,
    response: null,
    status: 204,
    refusals: [staleVersion, cartCompleted],
    handler: (tx, { params: { id }, ifMatch }) => deleteCart(tx, id, ifMatch),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/carts/{id}/lines",
    operationId: "addCartLine",
    tag,
    summary: "Add units to a cart",
    description:
      "Adds to what the cart has when the request is served, so additions at the same time all count.",
    audit: false,
    scopes: ["carts:write", "carts:use"],
    params,
    body: lineAddedSchema,
    response: cartWire,
    status: 201,
    location: (cart) => `/v2/carts/${cart.id}`,
    existing: "The units joined a line of the variant with equal metadata.",
    takesCustomer: true,
    refusals,
    handler: async (tx, { params: { id }, body, ifMatch: expected, ...given }) => {
      const change = await changeOf(tx, { ...given, body: {} });
      const filled = await addCartLine(tx, id, { line: readLine(body), change, expected });
      const answer = await view(tx, filled);
      return filled.isNewLine ? answer : new Existing(answer);
    },
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/carts/{id}/lines/{line_id}",
    operationId: "updateCartLine",
    tag,
    summary: "Update a line of a cart",
    description:
      "Replaces the quantity or the metadata. A line whose metadata becomes equal to those of another line of the variant joins it, and the older id stays.",
    audit: false,
    scopes: ["carts:write", "carts:use"],
    params: lineParams,
    body: lineChangeSchema,
    response: cartWire,
    takesCustomer: true,
    refusals,
    handler: async (tx, { params: { id, line_id }, body, ifMatch: expected, ...given }) => {
      const change = {
        ...(await changeOf(tx, { ...given, body: {} })),
        lines: updateLine(line_id, body),
      };
      return view(tx, await updateCart(tx, id, { change, expected }));
    },
  }),
  writeRoute({
    method: "DELETE",
    path: "/v2/carts/{id}/lines/{line_id}",
    operationId: "removeCartLine",
    tag,
    summary: "Remove a line from a cart",
    audit: false,
    scopes: ["carts:write", "carts:use"],
    params: lineParams,
    response: cartWire,
    takesCustomer: true,
    refusals,
    handler: async (tx, { params: { id, line_id }, ifMatch: expected, ...given }) => {
      const change = {
        ...(await changeOf(tx, { ...given, body: {} })),
        lines: removeLine(line_id),
      };
      return view(tx, await updateCart(tx, id, { change, expected }));
    },
  }),
  writeRoute({
    method: "POST",
    path: "/v2/carts/{id}/checkout",
    operationId: "startCheckout",
    tag,
    summary: "Start the checkout of a cart",
    description:
      "If the cart is not completed within an hour, `cart.abandoned` is emitted with a recovery link.",
    audit: false,
    scopes: ["carts:write", "carts:use"],
    // Each is announced, and again as abandoned: the merchant's programs write to its contact then.
    budgets: inTenMinutes("checkouts", { narrow: 60, wide: 960 }, { countsCustomers: true }),
    params,
    body: cartChangeSchema,
    response: cartWire,
    takesCustomer: true,
    refusals: [cartEmpty, ...refusals],
    handler: async (tx, { params: { id }, ifMatch: expected, ...given }) =>
      view(tx, await startCheckout(tx, id, { change: await changeOf(tx, given), expected })),
  }),
];
