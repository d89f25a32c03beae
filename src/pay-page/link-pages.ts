// The pages that the links of a shop open: an abandoned cart or unpaid order, the checkout of any cart, and the page of
// any order.

import { getOrderStatus } from "#pay-page/order/order-status.ts";
import { readCheckoutLink } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { getLinkSubject } from "#sales/recovery/recover-cart.ts";

import { getRecovery } from "./get-recovery.ts";
import type { LinkPages } from "./open-link.ts";
import { renderOrderPage } from "./order/order-page.ts";
import { renderRecoveryPage } from "./recovery-page.ts";

export const linkPages: readonly LinkPages[] = [
  {
    path: "/recover",
    showsCancelled: false,
    isStrangers: false,
    open: async (db, link) => ({
      recovery: await getRecovery(db, { ...link, subject: await getLinkSubject(db, link) }),
      render: renderRecoveryPage,
    }),
  },
  {
    path: "/checkout",
    showsCancelled: false,
    isStrangers: true,
    open: async (db, link) => {
      const { secret } = await getLinkTerms(db);
      const subject = readCheckoutLink(link.token, { ...link, secret });
      const recovery = await getRecovery(db, { ...link, subject, isStrangers: true });
      return { recovery, render: renderRecoveryPage };
    },
  },
  {
    path: "/o",
    showsCancelled: true,
    isStrangers: false,
    open: async (db, link) => {
      const recovery = await getOrderStatus(db, link);
      return { recovery, render: (page) => renderOrderPage(page, recovery) };
    },
  },
];
