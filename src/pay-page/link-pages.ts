// The pages that the links of a shop open: an abandoned cart or unpaid order, and the page of any order.

import { getOrderStatus } from "#pay-page/order/order-status.ts";
import { getLinkSubject } from "#sales/recovery/recover-cart.ts";

import { getRecovery } from "./get-recovery.ts";
import type { LinkPages } from "./open-link.ts";
import { renderOrderPage } from "./order/order-page.ts";
import { renderRecoveryPage } from "./recovery-page.ts";

export const linkPages: readonly LinkPages[] = [
  {
    path: "/recover",
    showsCancelled: false,
    open: async (db, link) => ({
      recovery: await getRecovery(db, { ...link, subject: await getLinkSubject(db, link) }),
      render: renderRecoveryPage,
    }),
  },
  {
    path: "/o",
    showsCancelled: true,
    open: async (db, link) => {
      const recovery = await getOrderStatus(db, link);
      return { recovery, render: (page) => renderOrderPage(page, recovery) };
    },
  },
];
