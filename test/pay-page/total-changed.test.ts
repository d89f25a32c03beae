// A price changes between what a customer saw and the order that their cart becomes.

import { expect, test } from "bun:test";

import { updateVariant } from "#catalog/products/update-variant.ts";
import { isId } from "#kernel/id.ts";
import { continueRecovery } from "#pay-page/continue-recovery.ts";
import { getRecovery } from "#pay-page/get-recovery.ts";
import { lockCart } from "#sales/carts/lookups.ts";
import { merchantVisit } from "#sales/placing/order-request.ts";
import { totalChanged } from "#sales/rows/order.ts";
import { unlimited } from "#shop/store/public-limits.ts";

import { readCart } from "../sales/carts/basket.ts";
import { openTestShop } from "../support/shop.ts";
import { abandonedMugs, reprice } from "./abandoned-baskets.ts";

test("a customer whose cart costs more by the time it is ordered places no order", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const { cup, cart, url } = await abandonedMugs(shop);
  if (!isId("cart", cart.id)) throw new Error(cart.id);
  const opened = { subject: cart.id, now: shop.test.clock.now(), isPressed: true };
  const shown = await getRecovery(shop.test.database.read, opened);
  await reprice(shop, cup, "15.00");

  const choice = { method: "bank_transfer", phone: null, provider: null } as const;
  const by = { placedBy: unlimited, visit: merchantVisit };
  const continuation = { choice, isDeposit: false, returnUrl: url, by };
  const refused = await continueRecovery(shop.duka.shops.test, shown, continuation).catch(
    (error: unknown) => error,
  );

  expect(refused).toMatchObject({ definition: totalChanged });
  expect((await readCart(shop, cart)).at("/status")).toBe("abandoned");
});

test("a customer whose cart becomes dearer while they press the button sees the new total", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const { cup, cart, url } = await abandonedMugs(shop);
  const pressed = Promise.withResolvers<void>();
  const repriced = shop.test.database.write(async (tx) => {
    await lockCart(tx, `cart_${cart.id.slice(5)}`);
    await pressed.promise;
    const goods = {
      productId: `prod_${cup.productId.slice(5)}`,
      variantId: `var_${cup.variantId.slice(4)}`,
    } as const;
    const prices = [{ currency: "USD", amount: 15, compareAt: null } as const];
    await updateVariant(tx, goods, { change: { prices }, expected: null });
  });

  const body = new URLSearchParams({ method: "bank_transfer", amount: "USD 25.00" });
  const answering = fetch(url, { method: "POST", redirect: "manual", body });
  await fetch(url);
  pressed.resolve();
  await repriced;
  const answer = await answering;
  const page = await answer.text();

  expect(answer.status).toBe(409);
  expect(page).toContain("The amount has changed since you opened this page.");
  expect(page).toContain("USD 30.00");
  expect((await readCart(shop, cart)).at("/status")).toBe("abandoned");
});
