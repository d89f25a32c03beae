// The part of the run of examples that calls the operations of collections.

import type { Answered, TestShop } from "../support/shop.ts";

interface Given {
  readonly body?: unknown;
  readonly query?: string;
  readonly id?: string;
  readonly product_id?: string;
}

type Call = (operationId: string, given?: Given) => Promise<Answered>;

/** Makes two collections: one by a rule, and below it one that the product is picked for. */
export async function callCollections(call: Call, shop: TestShop, product: string): Promise<void> {
  const rule = { category: "Kitchen", tags: ["mug", "pot"] };
  const above = await call("createCollection", { body: { title: "Kitchen", rule, sort: "price" } });
  const { id } = await shop.post("/v2/collections", { title: "Gifts" });
  await call("updateCollection", {
    id,
    body: { description: "Small and unbreakable.", parent_id: above.id },
  });
  const { id: other } = await shop.post("/v2/products", { name: "Tin plate" });
  await call("updateCollectionProducts", { id, body: { product_ids: [other] } });
  await call("addCollectionProduct", { id, product_id: product });
  await call("listCollectionProducts", { id, query: "?limit=1" });
  await call("removeCollectionProduct", { id, product_id: product });
  await call("retrieveCollection", { id });
  await call("listCollections", { query: "?limit=2" });
  await call("deleteCollection", { id });
}
