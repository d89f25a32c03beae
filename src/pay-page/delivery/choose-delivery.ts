// Story: the customer of a recovery link says where the goods go, or how. The cart keeps it, so that the page can be
// left and opened again.

import type { Address } from "#kernel/address.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { optionUnavailable } from "#pricing/quote/refusals.ts";
import type { ShippingOptionId } from "#pricing/shipping/shipping-charge.ts";
import { cartAt, lockCart } from "#sales/carts/lookups.ts";
import { updateCart } from "#sales/carts/update-cart.ts";
import { priceOrderable } from "#sales/recovery/recover-cart.ts";

export type DeliveryChange =
  { readonly shippingAddress: Address } | { readonly optionId: ShippingOptionId };

/**
 * Changes the address or the shipping option of the cart; nothing where it was completed meanwhile. Refuses with
 * `shipping_unavailable` for an option that is not offered, and as `updateCart` does.
 */
export async function chooseDelivery(
  tx: Tx,
  id: Id<"cart">,
  change: DeliveryChange,
): Promise<void> {
  const cart = await lockCart(tx, id);
  if (cart.orderId !== null) return;
  if ("shippingAddress" in change) {
    await updateCart(tx, id, { change, expected: null });
    return;
  }
  const { optionId } = change;
  const { lines } = await cartAt(tx, cart, tx.now);
  const pricing = { atMs: tx.now, judgesLimits: false };
  const { price } = await priceOrderable(tx, { cart, lines }, pricing);
  if (!price.options.some((one) => one.id === optionId)) {
    throw optionUnavailable(price.options, cart.currency);
  }
  await updateCart(tx, id, { change: { shipping: { optionId } }, expected: null });
}
