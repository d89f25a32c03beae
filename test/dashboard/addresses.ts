// The addresses of all pages of a test shop's dashboard, with something of the shop in place of each parameter.

import { pages } from "#dashboard/pages/pages.ts";

import type { DashboardShop } from "./dashboard-shop.ts";

/** Each page of the test shop, with what the seed made in place of its parameters. */
export async function addressesOf({ shop, owner }: DashboardShop): Promise<string[]> {
  const first = async (path: string, pointer = "/data/0/id") =>
    (await shop.get(path)).string(pointer);
  // Of an order that is sent in part there is most to be done.
  const orders = "/v2/orders?fulfillment_status=partially_fulfilled";
  const review = (await shop.get("/v2/payments?status=review")).at("/data/0/id");
  const inbox = `${shop.url}/hooks/test/inbox/pages`;
  const webhook = await shop.post("/v2/webhooks", { url: inbox });
  await shop.post(`/v2/webhooks/${webhook.id}/ping`, {});
  // One that failed has more to show.
  await shop.put(`/v2/webhooks/${webhook.id}`, { url: `${inbox}?status=none` });
  const ping = await shop.post(`/v2/webhooks/${webhook.id}/ping`, {});
  const refused = await shop.post("/v2/orders", { line_items: [{ quantity: 0 }], notes: "Ring" });
  const known: Record<string, Record<string, string>> = {
    orders: {
      id: await first(orders),
      fulfillment_id: await first(orders, "/data/0/fulfillments/0/id"),
      ...(typeof review === "string" ? { payment_id: review } : {}),
    },
    products: {
      id: await first("/v2/products"),
      variant_id: await first("/v2/products", "/data/0/variants/0/id"),
    },
    collections: { id: await first("/v2/collections") },
    stock: { variant_id: await first("/v2/inventory", "/data/0/variant_id") },
    customers: { id: await first("/v2/customers"), index: "0" },
    keys: { id: await first("/v2/keys") },
    requests: { request_id: refused.string("/request_id") },
    webhooks: { id: webhook.id, delivery_id: ping.id },
  };
  const found: string[] = [];
  for (const { path } of pages) {
    const [, list = "", below = ""] = path.split("/");
    const noun = below === "collections" ? below : list;
    const filled = path.replaceAll(
      /\{(\w+)\}/g,
      (whole, name: string) => known[noun]?.[name] ?? whole,
    );
    if (filled.includes("{")) continue;
    const { status } = await owner.get(`/dashboard/test${filled}`);
    if (status !== 303) found.push(`/dashboard/test${filled}`);
  }
  return found;
}
