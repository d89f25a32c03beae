// The parts of the run of examples that are one subject each.

import { lockPayment } from "#payments/rows/lookups.ts";
import { openRefund } from "#payments/settling/open-refund.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";

import { paidOut } from "../payments/paid-out.ts";
import { picture } from "../support/pictures.ts";
import type { Answered, TestShop } from "../support/shop.ts";

/** What an operation is called with. */
export interface Given {
  readonly body?: unknown;
  /** A body that is no JSON. */
  readonly file?: Uint8Array<ArrayBuffer>;
  readonly query?: string;
  /** Of the customer who is signed in. */
  readonly token?: string;
  readonly id?: string;
  readonly variant_id?: string;
  readonly line_id?: string;
  readonly product_id?: string;
  readonly fulfillment_id?: string;
  readonly code?: string;
  readonly ref?: string;
  readonly request_id?: string;
}

export type Call = (operationId: string, given?: Given) => Promise<Answered>;

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
  await call("updateProduct", { id: product, body: { related_product_ids: [other] } });
  await call("listRelatedProducts", { id: product });
  await call("listCollectionProducts", { id, query: "?limit=1" });
  await call("retrieveCollectionFacets", { id, query: "?available=true" });
  await call("removeCollectionProduct", { id, product_id: product });
  await call("retrieveCollection", { id });
  await call("listCollections", { query: "?limit=2" });
  await call("deleteCollection", { id });
}

/** Uploads a picture of the product, and another that is deleted. */
export async function callMedia(call: Call, product: string): Promise<void> {
  const file = Uint8Array.from(await picture("jpeg", 400, 300));
  const { id } = await call("uploadMedia", { file });
  await call("updateMedia", { id, body: { alt: "A blue mug on a table" } });
  await call("retrieveMedia", { id });
  await call("listMedia");
  const images = [{ media_id: id }];
  await call("updateProduct", { id: product, body: { tags: ["mug", "kitchen"], images } });
  const other = await call("uploadMedia", {
    file: Uint8Array.from(await picture("png")),
  });
  await call("deleteMedia", { id: other.id });
}

/** Signs a customer in, and out. */
export async function callAccounts(call: Call, address: object): Promise<void> {
  await call("setMessageHook", { body: { url: "https://hooks.example.org/messages" } });
  const calls = ["rotateMessageHookSecret", "retrieveMessageHook", "deleteMessageHook"];
  for (const id of calls) await call(id);
  const email = "zuri.mwangi@example.com";
  await call("sendCustomerSessionCode", { body: { email } });
  const session = await call("createCustomerSession", { body: { email, code: "000000" } });
  const token = session.string("/token");
  await call("retrieveMe", { token });
  await call("updateMe", { token, body: { addresses: [address], marketing_consent: true } });
  const orders = await call("listMeOrders", { token, query: "?limit=1" });
  await call("retrieveMeOrder", { token, id: orders.string("/data/0/id") });
  await call("exportMe", { token });
  await call("endCustomerSession", { token });
  await call("endCustomerSessions", { id: session.string("/customer/id") });
}

/** Someone with a limit asks to refund 60.00 of the payment; returns the refund. */
export async function askedRefund({ test: { database } }: TestShop, ref: string): Promise<string> {
  const terms = { amountMinor: 6_000, reason: "other", needsApproval: true } as const;
  const { refund } = await database.write(async (tx) =>
    openRefund(tx, await lockPayment(tx, ref), terms),
  );
  return refund.id;
}

/** Reads the payout that has the payment. */
export async function callPayouts(call: Call, shop: TestShop, ref: string): Promise<void> {
  const id = await paidOut(shop, ref);
  await call("listPayouts", { query: "?status=paid" });
  await call("retrievePayout", { id });
}

/** Adds a line to the cart, changes it and removes it. */
export async function callLines(
  call: Call,
  { id, variant_id }: { readonly id: string; readonly variant_id: string },
): Promise<void> {
  const body = { variant_id, quantity: 2, metadata: { public_engraving: "Zuri" } };
  const line_id = (await call("addCartLine", { id, body })).string("/line_items/1/id");
  await call("updateCartLine", { id, line_id, body: { quantity: 3 } });
  await call("removeCartLine", { id, line_id });
}

/** The header with the token of a customer, or of an order. */
export function tokenOf({ asBearer }: AnyRoute, token: string | undefined): Record<string, string> {
  if (token === undefined) return {};
  return { [asBearer ? "Order-Token" : "Customer-Token"]: token };
}

/** The body of a call, as JSON or as the bytes of a file. */
export function sentOf({ body, file }: Given) {
  if (file !== undefined) return { text: file, headers: { "Content-Type": "image/jpeg" } };
  return body === undefined ? {} : { text: JSON.stringify(body) };
}

export async function callReceivingAccounts(call: Call): Promise<void> {
  const till = { method: "mobile_money", label: "M-PESA", instructions: "Till 123456" };
  const { id } = await call("createReceivingAccount", { body: till });
  await call("updateReceivingAccount", { id, body: { instructions: "Till 654321" } });
  await call("retrieveReceivingAccount", { id });
  await call("listReceivingAccounts");
  await call("deleteReceivingAccount", { id });
}
