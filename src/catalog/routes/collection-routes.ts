// The routes of collections.

import { findCollections, getVisible } from "#catalog/collections/lookups.ts";
import { moveMember, placeMembers } from "#catalog/collections/place-members.ts";
import {
  collectionQuerySchema,
  memberQuerySchema,
  readCollectionFilters,
  readMemberFilters,
} from "#catalog/collections/query-schema.ts";
import {
  collectionChangeSchema,
  collectionWire,
  membersSchema,
  newCollectionSchema,
  readCollectionChange,
  readNewCollection,
} from "#catalog/collections/schema.ts";
import {
  createCollection,
  deleteCollection,
  updateCollection,
} from "#catalog/collections/update-collection.ts";
import { stillIndexing } from "#catalog/listing/index-products.ts";
import { findSearchedPage } from "#catalog/products/find-searched.ts";
import { findProducts } from "#catalog/products/lookups.ts";
import { correctedMember } from "#catalog/products/query-schema.ts";
import { productWire } from "#catalog/products/schema.ts";
import {
  collectionFull,
  collectionIsAutomatic,
  collectionLimitReached,
  collectionNotFound,
  collectionSlugTaken,
} from "#catalog/rows/collection.ts";
import { productNotFound } from "#catalog/rows/product.ts";
import { staleVersion } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import type { AuditTerms } from "#platform/http/contract/audit-terms.ts";
import { pathId } from "#platform/http/contract/path.ts";
import { listRoute, readRoute, type Route, writeRoute } from "#platform/http/contract/route.ts";
import { getStore } from "#shop/store/lookups.ts";

import { shownTables } from "./shown-queries.ts";

const reading = ["products:read", "catalog:read"];
const writing = ["products:write"];
const collection = {
  tag: "Collections",
  params: { id: pathId("collection", collectionNotFound) },
};
const member = {
  tag: "Collections",
  params: { ...collection.params, product_id: pathId("product", productNotFound) },
};

/** The entry is about the collection, not about the product that is named last. */
const auditedMember: AuditTerms<{ readonly id: Id<"collection"> }> = {
  subject: async (_, { id }) => id,
};

export const collectionRoutes: readonly Route[] = [
  listRoute({
    method: "GET",
    path: "/v2/collections",
    operationId: "listCollections",
    tag: "Collections",
    summary: "List collections",
    description:
      "Newest first. A key with `catalog:read` sees only published ones. With `product_id`, those that the product is in.",
    scopes: reading,
    query: collectionQuerySchema,
    response: collectionWire,
    edge: shownTables,
    handler: (db, asked) => findCollections(db, readCollectionFilters(asked)),
  }),
  writeRoute({
    method: "POST",
    path: "/v2/collections",
    operationId: "createCollection",
    tag: "Collections",
    summary: "Create a collection",
    description:
      "With a `rule`, its products are those that have all that the rule names, now and later. Without one they are picked by hand. A collection stays what it is.",
    scopes: writing,
    body: newCollectionSchema,
    response: collectionWire,
    status: 201,
    location: ({ id }) => `/v2/collections/${id}`,
    refusals: [collectionSlugTaken, collectionLimitReached],
    handler: (tx, { body }) => createCollection(tx, readNewCollection(body)),
  }),
  readRoute({
    ...collection,
    method: "GET",
    path: "/v2/collections/{id}",
    operationId: "retrieveCollection",
    summary: "Retrieve a collection",
    scopes: reading,
    response: collectionWire,
    edge: shownTables,
    refusals: [collectionNotFound],
    handler: (db, { params: { id }, caller }) => getVisible(db, id, caller.scopes),
  }),
  writeRoute({
    ...collection,
    method: "PUT",
    path: "/v2/collections/{id}",
    operationId: "updateCollection",
    summary: "Update a collection",
    description: "Fields that are not given keep their value; a `rule` is replaced as a whole.",
    scopes: writing,
    body: collectionChangeSchema,
    response: collectionWire,
    refusals: [collectionNotFound, staleVersion, collectionSlugTaken],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      updateCollection(tx, id, { change: readCollectionChange(body), expected }),
  }),
  writeRoute({
    ...collection,
    method: "DELETE",
    path: "/v2/collections/{id}",
    operationId: "deleteCollection",
    summary: "Delete a collection",
    description:
      "Its products stay. Collections below it move to where it stood. Discounts that name it apply to none of its products any more.",
    scopes: writing,
    response: null,
    status: 204,
    refusals: [collectionNotFound, staleVersion],
    handler: (tx, { params: { id }, ifMatch }) => deleteCollection(tx, id, ifMatch),
  }),
  listRoute({
    ...collection,
    method: "GET",
    path: "/v2/collections/{id}/products",
    operationId: "listCollectionProducts",
    summary: "List the products of a collection",
    description:
      "With the parameters of the list of products, and in the order of the collection unless `sort` names another one. A key with `catalog:read` sees only active products.",
    scopes: reading,
    query: memberQuerySchema,
    response: productWire,
    edge: shownTables,
    keepsRows: true,
    members: correctedMember,
    refusals: [collectionNotFound, stillIndexing],
    handler: async (db, { params: { id }, ...asked }) => {
      const found = await getVisible(db, id, asked.caller.scopes);
      const { currency } = await getStore(db);
      return findSearchedPage(db, asked, (list) =>
        findProducts(db, readMemberFilters(list, found, currency)),
      );
    },
  }),
  writeRoute({
    ...collection,
    method: "PUT",
    path: "/v2/collections/{id}/products",
    operationId: "updateCollectionProducts",
    summary: "Update the products of a collection and their order",
    description:
      "All of them, at most 1,000: products that are not named leave the collection. `If-Match` keeps you from overwriting what someone else arranged.",
    scopes: writing,
    body: membersSchema,
    response: collectionWire,
    refusals: [collectionNotFound, staleVersion, collectionIsAutomatic],
    handler: (tx, { params: { id }, body, ifMatch: expected }) =>
      placeMembers(tx, id, { productIds: body.product_ids, expected }),
  }),
  writeRoute({
    ...member,
    method: "PUT",
    path: "/v2/collections/{id}/products/{product_id}",
    operationId: "addCollectionProduct",
    summary: "Add a product to a collection",
    description: "It becomes the last one. A product that is in the collection keeps its place.",
    audit: auditedMember,
    scopes: writing,
    response: collectionWire,
    refusals: [collectionNotFound, productNotFound, collectionIsAutomatic, collectionFull],
    handler: (tx, { params: { id: collectionId, product_id: productId } }) =>
      moveMember(tx, { collectionId, productId, isIn: true }),
  }),
  writeRoute({
    ...member,
    method: "DELETE",
    path: "/v2/collections/{id}/products/{product_id}",
    operationId: "removeCollectionProduct",
    summary: "Remove a product from a collection",
    description: "The product itself stays. One that is not in the collection is no fault.",
    audit: auditedMember,
    scopes: writing,
    response: collectionWire,
    refusals: [collectionNotFound, productNotFound, collectionIsAutomatic],
    handler: (tx, { params: { id: collectionId, product_id: productId } }) =>
      moveMember(tx, { collectionId, productId, isIn: false }),
  }),
];
