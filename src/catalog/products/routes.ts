// The routes of the catalog.

import type { Static } from "typebox";

import { addVariant } from "#catalog/variants/add-variant.ts";
import { deleteVariant } from "#catalog/variants/delete-variant.ts";
import { updateVariant } from "#catalog/variants/update-variant.ts";
import {
  lastVariant,
  skuTaken,
  variantAmong,
  variantLimitReached,
  variantNotFound,
} from "#catalog/variants/variant.ts";
import { mapPage } from "#kernel/page.ts";
import { staleVersion } from "#kernel/version.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";

import { createProduct } from "./create-product.ts";
import { deleteProduct } from "./delete-product.ts";
import { findProducts } from "./lookups.ts";
import { onlyProduct, productNotFound, slugTaken, visibleStatuses } from "./product.ts";
import {
  deletedSchema,
  newProductSchema,
  newVariantSchema,
  presentDeleted,
  presentProduct,
  presentVariant,
  productChangeSchema,
  productQuerySchema,
  productSchema,
  readNewProduct,
  readNewVariant,
  readProductChange,
  readProductFilters,
  readVariantChange,
  variantChangeSchema,
  variantSchema,
} from "./schema.ts";
import { updateProduct } from "./update-product.ts";

const reading = ["products:read", "catalog:read"];
const writing = ["products:write"];
const product = { tag: "Products", params: { id: pathId("product", productNotFound) } };
const variant = {
  tag: "Products",
  params: { ...product.params, variant_id: pathId("variant", variantNotFound) },
};
const productPath = (body: Static<typeof productSchema>) => `/v2/products/${body.id}`;
const variantPath = (body: Static<typeof variantSchema>) =>
  `/v2/products/${body.product_id}/variants/${body.id}`;

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
    response: productSchema,
    handler: async (db, { query, page, caller }) =>
      mapPage(await findProducts(db, readProductFilters(query, page, caller)), presentProduct),
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
    response: productSchema,
    status: 201,
    location: productPath,
    refusals: [slugTaken, skuTaken],
    handler: async (tx, { body }) => presentProduct(await createProduct(tx, readNewProduct(body))),
  }),
  readRoute({
    ...product,
    method: "GET",
    path: "/v2/products/{id}",
    operationId: "retrieveProduct",
    summary: "Retrieve a product",
    scopes: reading,
    response: productSchema,
    refusals: [productNotFound],
    handler: async (db, { params: { id }, caller }) =>
      presentProduct(
        onlyProduct(await findProducts(db, { id, statuses: visibleStatuses(caller.scopes) })),
      ),
  }),
  writeRoute({
    ...product,
    method: "PUT",
    path: "/v2/products/{id}",
    operationId: "updateProduct",
    summary: "Update a product",
    description:
      "Fields that are not given keep their value. Variants are changed by their own routes.",
    scopes: writing,
    body: productChangeSchema,
    response: productSchema,
    refusals: [productNotFound, staleVersion, slugTaken],
    handler: async (tx, { params: { id }, body, ifMatch: expected }) =>
      presentProduct(await updateProduct(tx, id, { change: readProductChange(body), expected })),
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
    response: variantSchema,
    status: 201,
    location: variantPath,
    refusals: [productNotFound, staleVersion, skuTaken, variantLimitReached],
    handler: async (tx, { params: { id }, body, ifMatch: expected }) =>
      presentVariant(await addVariant(tx, id, { variant: readNewVariant(body), expected })),
  }),
  readRoute({
    ...variant,
    method: "GET",
    path: "/v2/products/{id}/variants/{variant_id}",
    operationId: "retrieveVariant",
    summary: "Retrieve a variant",
    scopes: reading,
    response: variantSchema,
    refusals: [productNotFound, variantNotFound],
    handler: async (db, { params: { id, variant_id: variantId }, caller }) => {
      const page = await findProducts(db, { id, statuses: visibleStatuses(caller.scopes) });
      return presentVariant(variantAmong(onlyProduct(page).variants, variantId));
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
    scopes: writing,
    body: variantChangeSchema,
    response: variantSchema,
    refusals: [productNotFound, variantNotFound, staleVersion, skuTaken],
    handler: async (tx, { params, body, ifMatch: expected }) => {
      const id = { productId: params.id, variantId: params.variant_id };
      const change = readVariantChange(body);
      return presentVariant(await updateVariant(tx, id, { change, expected }));
    },
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
