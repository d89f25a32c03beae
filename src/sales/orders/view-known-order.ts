// An order that is read again is the same object as long as it is the same: its text is made once.

import type { LinkTerms } from "#sales/links/link-token.ts";

import type { WholeOrder } from "./order.ts";
import { type OrderView, viewOrder } from "./schema.ts";

/** As each order was viewed last. */
const viewed = new WeakMap<WholeOrder, { readonly terms: LinkTerms; readonly view: OrderView }>();

/** The same as `viewOrder`, and the same object as before for the same order and terms. */
export function viewKnownOrder(given: WholeOrder, terms: LinkTerms): OrderView {
  const last = viewed.get(given);
  if (last?.terms === terms) return last.view;
  const view = viewOrder(given, terms);
  viewed.set(given, { terms, view });
  return view;
}
