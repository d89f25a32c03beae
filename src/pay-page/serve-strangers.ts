// The pages that are open to strangers: the bounds of publishable keys hold there. On pages whose links the merchant
// sent, none does.

import type { Mode } from "#platform/database/shop.ts";
import type { CountedCaller, VisitorLimits } from "#platform/http/limits/visitor-limits.ts";
import { orderLinkOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { merchantVisit, visitOf } from "#sales/placing/order-request.ts";
import { placingBudgets } from "#sales/placing/public-orders.ts";
import { unlimited } from "#shop/store/public-limits.ts";

import type { Visiting } from "./continue-recovery.ts";
import type { Opened, Strangers } from "./open-link.ts";

/** The bounds of strangers as the server counts them. */
export function strangersOf(visitors: VisitorLimits, networkOf: Strangers["networkOf"]): Strangers {
  return {
    networkOf,
    admit: (request, mode) => visitors.admit(request, visitorIn(mode)),
    place: (request, mode, place) => {
      const by = { budgets: placingBudgets, request, caller: visitorIn(mode), body: null };
      return visitors.limited(by, (take) => {
        take();
        return place();
      });
    },
  };
}

/** A visitor as budgets count one. */
function visitorIn(mode: Mode): CountedCaller {
  return { isPublic: true, mode, ratePerMinute: null, actor: { id: "visitor" } };
}

/** Counts the page. Refuses with `rate_limited`. */
export async function admitStranger({ link, shop }: Opened): Promise<void> {
  if (link.pages.isStrangers) await link.strangers.admit(link.request, shop.mode);
}

/** Runs what places an order. Refuses with `too_many_orders`. */
export function asVisitor<T extends { readonly status: number }>(
  { link, shop }: Opened,
  place: () => Promise<T>,
): Promise<T> {
  return link.pages.isStrangers ? link.strangers.place(link.request, shop.mode, place) : place();
}

/** Whose bounds hold for what is done on the page. */
export function visitingOf({ link, shop }: Opened): Visiting {
  const { pages, request, strangers } = link;
  if (!pages.isStrangers) return { placedBy: unlimited, visit: merchantVisit };
  return {
    placedBy: { isPublic: true, mode: shop.mode },
    visit: visitOf(shop, null, () => strangers.networkOf(request)),
  };
}

/**
 * The address of the page of the order that a stranger's cart became, which shows no contact: links are passed on. Null
 * for what is no order yet, and on pages that show the order themselves.
 */
export async function wayToOrder({ link, shop, recovery }: Opened): Promise<string | null> {
  if (!link.pages.isStrangers || recovery.kind === "cart") return null;
  const terms = await getLinkTerms(shop.database.read);
  return orderLinkOf(terms, recovery.whole.order, { showsContact: false }).statusUrl;
}
