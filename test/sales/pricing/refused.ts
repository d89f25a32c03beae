// Requests that a shop with prices refuses, and a snapshot to prove that they changed nothing.

import { expect } from "bun:test";

import { mug } from "../../support/cast.ts";
import type { Answered, TestShop } from "../../support/shop.ts";
import { standing } from "../orders/counter.ts";
import { discount, shipTo } from "./priced-shop.ts";

/** What no refusal may change: what is sold, and everything that decides on prices. */
async function everything(shop: TestShop): Promise<unknown[]> {
  const lists = ["carts", "discounts", "tax-rates", "shipping-zones", "shipping-rates"];
  const answers = await Promise.all(
    [...lists, "pickup-locations"].map((list) => shop.get(`/v2/${list}?limit=100`)),
  );
  return [...answers.map(({ body }) => body), ...(await standing(shop))];
}

/** Sends the request, which must be refused and change nothing. */
export async function refused(shop: TestShop, request: () => Promise<Answered>): Promise<Answered> {
  const before = await everything(shop);
  const answer = await request();
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(await everything(shop)).toEqual(before);
  return answer;
}

/** A shop with a limited code and a rate to Ghana. */
export async function stocked(shop: TestShop) {
  const id = await discount(shop, { codes: ["SAVE10"], usage_limit: 5 });
  const rider = await shipTo(shop, ["GH"]);
  return { id, rider, cup: await mug(shop, { price: 100 }) };
}
