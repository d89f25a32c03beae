// The routes of the catalog.

import { stillIndexing } from "#catalog/listing/index-products.ts";
import { isSorted } from "#catalog/listing/query-schema.ts";
import { createProduct } from "#catalog/products/create-product.ts";
import { findSearchedPage } from "#catalog/products/find-searched.ts";
import {
  findByAnySlug,
  findProducts,
  findRelated,
  lockProduct,
} from "#catalog/products/lookups.ts";
import {
  correctedMember,
  type ListOfProducts,
  productQuerySchema,
  readProductFilters,
  readSortedFilters,
} from "#catalog/products/query-schema.ts";
import {
  addedVariantWire,
  deletedSchema,
  newProductSchema,
  newVariantSchema,
  presentDeleted,
  productChangeSchema,
  productWire,
  readNewProduct,
  readNewVariant,
  readProductChange,
  readVariantChange,
  variantChangeSchema,
  variantWire,
} from "#catalog/products/schema.ts";
import { deleteProduct, updateProduct } from "#catalog/products/update-product.ts";
import { addVariant, deleteVariant, updateVariant } from "#catalog/products/update-variant.ts";
import {
  onlyProduct,
  type Product,
  productNotFound,
  slugTaken,
  visibleStatuses,
} from "#catalog/rows/product.ts";
import {
  lastVariant,
  skuTaken,
  type Variant,
  variantAmong,
  variantLimitReached,
  variantNotFound,
} from "#catalog/rows/variant.ts";
import { staleVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { type AuditTerms, shownOf } from "#platform/http/contract/audit-terms.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";
import { getStore } from "#shop/store/lookups.ts";

import { shownTables } from "./shown-queries.ts";

const reading = ["products:read", "catalog:read"];
const writing = ["products:write"];
const product = { tag: "Products", params: { id: pathId("product", productNotFound) } };
const variant = {
  tag: "Products",
  params: { ...product.params, variant_id: pathId("variant", variantNotFound) },
};
const productPath = ({ id }: Product) => `/v2/products/${id}`;
const variantPath = ({ productId, id }: Variant) => `/v2/products/${productId}/variants/${id}`;

/** Who changed a price is asked most. Of a product it can be that of its only variant. */
const auditedProduct: AuditTerms<{ readonly id: Id<"product"> }> = {
  before: async (tx, { id }) => productWire.present(await lockProduct(tx, id)),
  keeps: ({ variants }) => {
    const [only, ...others] = Array.isArray(variants) ? variants.map(shownOf) : [];
    if (only === undefined || others.length > 0) return {};
    return { variants: [{ id: only["id"], prices: only["prices"] }] };
  },
};
/** All its values are kept. */
const auditedVariant: AuditTerms<{
  readonly id: Id<"product">;
  readonly variant_id: Id<"variant">;
}> = {
  before: async (tx, { id, variant_id: variantId }) => {
    const { variants } = await lockProduct(tx, id);
    return variantWire.present(variantAmong(variants, variantId));
  },
  keeps: (shown) => shown,
};

export const productRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/products",
    operationId: "listProducts",
    tag: "Products",
    summary: "List products",
    description: "A key with `catalog:read` sees only active products.",
    scopes: reading,
    query: productQuerySchema,
    response: productWire,
    edge: shownTables,
    keepsRows: true,
    refusals: [stillIndexing],
    members: correctedMember,
    handler: (db, asked) =>
      findSearchedPage(db, asked, async (list) => findByAnySlug(db, await filtersOf(db, list))),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/products",
    operationId: "createProduct",
    tag: "Products",
    summary: "Create a product",
    description: "Give `variants`, or for a single variant `price`, `currency`, `sku` and `stock`.",
    scopes: writing,
    body: newProductSchema,
    response: productWire,
    status: 201,
    location: productPath,
    refusals: [slugTaken, skuTaken],
    handler: (tx, { body }) => createProduct(tx, readNewProduct(body)),
  }),
  readRoute({
    ...product,
    method: "GET",
    path: "/v2/products/{id}",
    operationId: "retrieveProduct",
    summary: "Retrieve a product",
    scopes: reading,
    response: productWire,
    edge: shownTables,
    keepsRows: true,
    refusals: [productNotFound],
    handler: async (db, { params: { id }, caller }) =>
      onlyProduct(await findProducts(db, { ids: [id], statuses: visibleStatuses(caller.scopes) })),
  }),
  writeRoute({
    ...product,
    method: "PUT",
    path: "/v2/products/{id}",
    operationId: "updateProduct",
    summary: "Update a product",
    description:
      "Fields that are not given keep their value. `price` is that of the only variant; several variants are changed by their own routes.",
    audit: auditedProduct,
    scopes: writing,
    body: productChangeSchema,
    response: productWire,
    refusals: [productNotFound, staleVersion, slugTaken],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      updateProduct(tx, id, { change: readProductChange(body), short: body, expected }),
  }),
  writeRoute({
    ...product,
    method: "DELETE",
    path: "/v2/products/{id}",
    operationId: "deleteProduct",
    summary: "Delete a product",
    description: "A product that was ever sold is archived instead. The response says which.",
    scopes: writing,
    response: deletedSchema("product", "DeletedProduct"),
    refusals: [productNotFound, staleVersion],
    handler: async (tx, { params: { id }, ifMatch }) =>
      presentDeleted(id, await deleteProduct(tx, id, ifMatch)),
  }),
  listRoute({
    ...product,
    method: "GET",
    path: "/v2/products/{id}/related",
    operationId: "listRelatedProducts",
    summary: "List related products",
    description:
      "The `related_product_ids` of the product, in their order. A key with `catalog:read` sees only active products.",
    scopes: reading,
    response: productWire,
    edge: shownTables,
    keepsRows: true,
    refusals: [productNotFound],
    handler: (db, { params: { id }, page, caller }) =>
      findRelated(db, { id, statuses: visibleStatuses(caller.scopes), page }),
  }),
  writeRoute({
    ...product,
    method: "POST",
    path: "/v2/products/{id}/variants",
    operationId: "createVariant",
    summary: "Create a variant",
    description:
      "`If-Match` takes the version of the product, which every change of a variant raises.",
    scopes: writing,
    body: newVariantSchema,
    response: addedVariantWire,
    status: 201,
    location: variantPath,
    refusals: [productNotFound, staleVersion, skuTaken, variantLimitReached],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      addVariant(tx, id, { variant: readNewVariant(body), expected }),
  }),
  readRoute({
    ...variant,
    method: "GET",
    path: "/v2/products/{id}/variants/{variant_id}",
    operationId: "retrieveVariant",
    summary: "Retrieve a variant",
    scopes: reading,
    response: variantWire,
    edge: shownTables,
    refusals: [productNotFound, variantNotFound],
    handler: async (db, { params: { id, variant_id: variantId }, caller }) => {
      const page = await findProducts(db, { ids: [id], statuses: visibleStatuses(caller.scopes) });
      return variantAmong(onlyProduct(page).variants, variantId);
    },
  }),
  writeRoute({
    ...variant,
    method: "PUT",
    path: "/v2/products/{id}/variants/{variant_id}",
    operationId: "updateVariant",
    summary: "Update a variant",
    description:
      "Fields that are not given keep their value. Stock is changed by `PUT /v2/inventory/{variant_id}`.",
    audit: auditedVariant,
    scopes: writing,
    body: variantChangeSchema,
    response: variantWire,
    refusals: [productNotFound, variantNotFound, staleVersion, skuTaken],
    handler: (tx, { params: { id: productId, variant_id: variantId }, body, ifMatch: expected }) =>
      updateVariant(tx, { productId, variantId }, { change: readVariantChange(body), expected }),
  }),
  writeRoute({
    ...variant,
    method: "DELETE",
    path: "/v2/products/{id}/variants/{variant_id}",
    operationId: "deleteVariant",
    summary: "Delete a variant",
    description:
      "A variant that was ever sold is archived instead and no longer listed. Its SKU becomes free in both cases.",
    scopes: writing,
    response: deletedSchema("variant", "DeletedVariant"),
    refusals: [productNotFound, variantNotFound, staleVersion, lastVariant],
    handler: async (tx, { params: { id: productId, variant_id: id }, ifMatch }) =>
      presentDeleted(id, await deleteVariant(tx, { productId, variantId: id }, ifMatch)),
  }),
];

/** The filters that are asked of a list; the store is read only for one that has an order or bounds. */
async function filtersOf(db: Reader, asked: ListOfProducts) {
  if (!isSorted(asked.query)) return readProductFilters(asked);
  return readSortedFilters(asked, (await getStore(db)).currency);
}
