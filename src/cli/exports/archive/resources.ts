// The content of an archive: the lists of the interface, each in a file of its own, and what is left out.

import type { AnyRoute } from "#platform/http/contract/route.ts";

/** A row of an answer, as its JSON says. */
export type WireRow = Readonly<Record<string, unknown>>;

/** A list that each row of another resource has. */
export interface Parent {
  readonly name: string;
  /** The member of its rows that fills the parameter of the path. */
  readonly id: string;
  /** Which rows have any; all of them by default. */
  readonly has?: (row: WireRow) => boolean;
}

/** One file of an archive. */
export interface Resource {
  /** The name of the file without its ending. */
  readonly name: string;
  /** The route whose rows are the lines of the file. */
  readonly operationId: AnyRoute["operationId"];
  readonly of?: Parent;
  /** Makes the line of a row where it is not the row itself. */
  readonly lineOf?: (row: WireRow, parent: WireRow) => WireRow;
  /** True if the resource is no use without what is personal or secret in it. */
  readonly isLeftOutMasked?: true;
}

/** Every resource but the events, in the order of the archive. */
export const resources: readonly Resource[] = [
  { name: "store", operationId: "retrieveStore" },
  { name: "products", operationId: "listProducts" },
  { name: "collections", operationId: "listCollections" },
  {
    name: "collection_products",
    operationId: "listCollectionProducts",
    // The products that a rule finds follow from the rule.
    of: { name: "collections", id: "id", has: ({ rule }) => rule === null },
    lineOf: (product, collection) => ({
      collection_id: collection["id"],
      product_id: product["id"],
    }),
  },
  { name: "media", operationId: "listMedia" },
  { name: "inventory_levels", operationId: "listInventory" },
  {
    name: "inventory_movements",
    operationId: "listInventoryMovements",
    of: { name: "inventory_levels", id: "variant_id" },
  },
  { name: "customers", operationId: "listCustomers" },
  { name: "carts", operationId: "listCarts" },
  { name: "orders", operationId: "listOrders" },
  {
    name: "returns",
    operationId: "listReturns",
    of: { name: "orders", id: "id", has: hasReturns },
  },
  { name: "payments", operationId: "listPayments" },
  { name: "refunds", operationId: "listRefunds" },
  { name: "disputes", operationId: "listDisputes" },
  { name: "payouts", operationId: "listPayouts" },
  { name: "discounts", operationId: "listDiscounts" },
  {
    name: "discount_codes",
    operationId: "listDiscountCodes",
    of: { name: "discounts", id: "id" },
    // A code may be the name of the customer whom it was made for, and who reads one may use it.
    isLeftOutMasked: true,
  },
  { name: "tax_rates", operationId: "listTaxRates" },
  { name: "shipping_zones", operationId: "listShippingZones" },
  { name: "shipping_rates", operationId: "listShippingRates" },
  { name: "pickup_locations", operationId: "listPickupLocations" },
  { name: "receiving_accounts", operationId: "listReceivingAccounts" },
  {
    name: "webhooks",
    operationId: "listWebhooks",
    // The address of an endpoint often is its only secret.
    isLeftOutMasked: true,
  },
];

/** The file of the events, which have a feed and no list. */
export const EVENTS = "events";

/** Most orders have none, and asking each costs more than the orders themselves. */
function hasReturns({ line_items: lines }: WireRow): boolean {
  return (
    Array.isArray(lines) &&
    lines.some((line: { readonly returned_quantity?: unknown }) => line.returned_quantity !== 0)
  );
}
