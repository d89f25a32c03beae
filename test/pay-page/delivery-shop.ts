// A shop in Ghana that delivers, and what its customers send from the page of a recovery link.

import { abandonedCart } from "../sales/carts/basket.ts";
import { accra, must, of, shipTo, sold, usd } from "../sales/pricing/priced-shop.ts";
import type { Goods } from "../support/cast.ts";
import type { Answered, TestShop } from "../support/shop.ts";

export interface DeliveringShop {
  readonly cup: Goods;
  /** A rate of 5.00 for Ghana. */
  readonly rider: string;
  /** A rate of 2.50 for Ghana. */
  readonly bus: string;
  /** A place where goods are fetched for nothing. */
  readonly osu: string;
}

/** Two rates for Ghana, a pickup location there, and cups for 20.00. */
export async function delivering(shop: TestShop): Promise<DeliveringShop> {
  const rider = await shipTo(shop, ["GH"], { min_days: 1, max_days: 2 });
  const zone_id = (await shop.get(`/v2/shipping-rates/${rider}`)).string("/zone_id");
  const tiers = [{ from: 0, amounts: usd("2.50") }];
  const bus = must(
    await shop.post("/v2/shipping-rates", { zone_id, name: "Bus", kind: "flat", tiers }),
    201,
  );
  const address = { line1: "2 Oxford Street", city: "Accra", country: "GH" };
  const osu = must(await shop.post("/v2/pickup-locations", { name: "Osu shop", address }), 201);
  return { cup: await sold(shop, 20), rider, bus: bus.id, osu: osu.id };
}

/** An abandoned cart with one cup, which goes to Accra unless the terms say otherwise. */
export async function abandonedCup(
  shop: TestShop,
  { cup }: Pick<DeliveringShop, "cup">,
  terms: object = {},
): Promise<{ readonly cart: Answered; readonly url: string }> {
  const cart = await abandonedCart(shop, [of(cup)], {
    email: "ada@example.com",
    shipping_address: accra,
    ...terms,
  });
  return { cart, url: cart.string("/recovery_url") };
}

export interface Page {
  readonly status: number;
  /** What a customer reads: no markup, each block on a line of its own. */
  readonly text: string;
  readonly location: string | null;
}

/** What the page says. */
export async function look(url: string): Promise<Page> {
  return pageOf(await fetch(url));
}

/** Sends a form of the page. */
export async function send(url: string, form: Readonly<Record<string, string>>): Promise<Page> {
  const body = new URLSearchParams(form);
  return pageOf(await fetch(url, { method: "POST", redirect: "manual", body }));
}

async function pageOf(answer: Response): Promise<Page> {
  const text = (await answer.text())
    .replace(/<style>[^]*?<\/style>/, "")
    .replaceAll(/<\/dt>\s*<dd>/g, " ")
    .replaceAll(/<[^>]*>/g, "\n")
    .replaceAll(/\s*\n\s*/g, "\n");
  return { status: answer.status, text, location: answer.headers.get("location") };
}

/** The amounts from the subtotal on, as the page lists them. */
export function sumsOf({ text }: Page): string[] {
  const rows = text.split("\n");
  const last = rows.findIndex((row) => row.startsWith("Total"));
  return rows.slice(
    rows.findIndex((row) => row.startsWith("Subtotal")),
    last + 1,
  );
}
