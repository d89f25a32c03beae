// Checks of what the merchant gives the shop before it can sell. They read its own tables alone.

import { findProducts, hasShippedGoods } from "#catalog/products/lookups.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import { findDelivery } from "#pricing/shipping/lookups.ts";
import { listOrders } from "#sales/history/list-orders.ts";
import { listPeople } from "#shop/people/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";
import { isOffered } from "#shop/store/payment-methods.ts";
import { newStoreSettings, type Store } from "#shop/store/store.ts";
import { hasTaxRates } from "#shop/taxes/lookups.ts";

import { type Check, ok, type Stored, todo } from "./check.ts";

const shopPage = "/settings/shop";

/** Returns true if the owner has chosen how to be paid: a way is closed, is left to a gateway, is offered on web pages, or says where to pay. */
function isSettled({ paymentMethods: settings }: Pick<Store, "paymentMethods">): boolean {
  return Object.values(settings).some(
    ({ enabled, by, instructions, storefront }) =>
      enabled === false ||
      by === "gateway" ||
      (instructions ?? null) !== null ||
      storefront === true,
  );
}

/** In the order in which a new shop is set up. */
export const shopChecks: readonly Check<Stored>[] = [
  {
    name: "owner",
    area: "shop",
    href: "/guides/dashboard#the-first-owner",
    look: async ({ live }) => {
      const owners = (await listPeople(live)).filter(({ role }) => role === "owner");
      if (owners.length > 0) return ok("An owner can sign in.");
      return todo(
        "There is no owner who can sign in.",
        "Open the link that the server prints when it starts.",
      );
    },
  },
  {
    name: "name",
    area: "shop",
    href: shopPage,
    look: async ({ db }) => {
      const { name, currency } = await getStore(db);
      if (name !== newStoreSettings.name) return ok(`${name} sells in ${currency}.`);
      return todo("The shop has no name of its own.", "Name it, and choose its currency.");
    },
  },
  {
    name: "country",
    area: "shop",
    href: shopPage,
    look: async ({ db }) => {
      const { country } = await getStore(db);
      if (country !== null) return ok(`The shop is in ${country}.`);
      return todo(
        "The shop has no country.",
        "Choose it: taxes and phone numbers are read as from there.",
      );
    },
  },
  {
    name: "product",
    area: "shop",
    href: "/products/new",
    blocks: true,
    look: async ({ db }) => {
      const { rows } = await findProducts(db, {});
      if (rows.length > 0) return ok("There are products.");
      return todo(
        "There is nothing to buy.",
        "Add a product, with a price and how many there are.",
      );
    },
  },
  {
    name: "way_to_pay",
    area: "shop",
    href: "/settings/payments",
    blocks: true,
    look: async ({ db }) => {
      const store = await getStore(db);
      if (!paymentMethods.some((method) => isOffered(store, method, { isPublic: false }))) {
        return todo("No way to pay is offered.", "Offer one.");
      }
      if (store.gatewayMethods.length > 0) return ok("A payment provider takes payments.");
      if (isSettled(store)) return ok("The ways to pay are chosen.");
      return todo(
        "Customers are not told where to pay.",
        "Write down where money comes to, or connect a payment provider.",
      );
    },
  },
  {
    name: "checkout",
    area: "shop",
    href: "/settings/checkout",
    look: async ({ db }) => {
      const { checkout } = await getStore(db);
      if (checkout.isAssumed !== true)
        return ok("It is chosen what customers say before an order.");
      return todo(
        "An upgrade left out what the last orders did not have: a contact, an address or a name.",
        "Choose what customers must say before an order.",
      );
    },
  },
  {
    name: "delivery",
    area: "shop",
    href: "/settings/shipping",
    blocks: true,
    look: async ({ db }) => {
      const { hasZones, hasPickup, unpriced, assumedFree } = await findDelivery(db);
      if (unpriced.length > 0) {
        const remedy = "Add a price there, or say that delivery is free.";
        return todo(`Customers cannot order to ${unpriced.join(", ")} yet.`, remedy);
      }
      if (assumedFree.length > 0) {
        return todo(
          `Delivery to ${assumedFree.join(", ")} is free: the zone had no price before the upgrade.`,
          "Set the price. If it is free, change the name of the price, such as to Free delivery.",
        );
      }
      if (hasZones || hasPickup) return ok("Customers can choose how their goods come to them.");
      if (!(await hasShippedGoods(db))) return ok("Nothing that the shop sells has to be sent.");
      return todo(
        "Goods have to be sent, and no rate says what that costs.",
        "Add a zone and a rate.",
      );
    },
  },
  {
    name: "tax",
    area: "shop",
    href: "/settings/taxes",
    look: async ({ db }) => {
      if (await hasTaxRates(db)) return ok("Sales are taxed by the rates of the shop.");
      if ((await getStore(db)).noTaxes) return ok("The shop charges no tax.");
      return todo(
        "Orders have no tax.",
        "Add the rates of your country, or say that there are none.",
      );
    },
  },
  {
    name: "first_order",
    area: "shop",
    href: "/orders/new",
    look: async ({ db }) => {
      const { rows } = await listOrders(db, { paidFrom: 0 }, { limit: 1, after: null });
      if (rows.length > 0) return ok("Orders were paid.");
      return todo("No order was paid yet.", "Enter one yourself, or buy in your own web shop.");
    },
  },
];
