// Opens a link: what it shows, in the mode whose shop signed it, and what can be done there.

import { localize, type LocalizedStore } from "#pay-page/words/localize.ts";
import { pollBriefly } from "#payments/attempts/poll-payment.ts";
import { offeredMethods } from "#payments/gateways/offered-methods.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { isOpenAttempt } from "#payments/rows/payment.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { CodesPort } from "#sales/placing/order-request.ts";
import { getStore } from "#shop/store/lookups.ts";

import { findSigner } from "./find-signer.ts";
import type { ShownPage } from "./frame/shop-frame.ts";
import type { LinkToOpen, Recovery } from "./get-recovery.ts";
import { nextStepOf } from "./next-step.ts";
import type { PayPage } from "./page-frame.ts";
import { billOf, type RecoveryBill } from "./recovery-bill.ts";
import { waysToPay, type WayToPay } from "./ways-to-pay.ts";

/** The shop of a link: a stranger who orders by one may have to prove a contact. */
export type LinkShop = PaymentsShop & CodesPort;

export interface LinkTerms {
  /** The shops of both modes. */
  readonly shops: readonly LinkShop[];
  /** The address at which browsers reach this server. */
  readonly publicUrl: () => string;
  readonly onFault: (error: unknown) => void;
}

/** The thing that a link opens, and the page that shows it. */
export interface OpenedLink {
  readonly recovery: Recovery;
  readonly render: (page: PayPage) => ShownPage;
}

/** Pages whose address is `path` and a token. */
export interface LinkPages {
  readonly path: "/recover" | "/checkout" | "/o";
  /** Refuses with `recovery_link_invalid` what this shop did not sign; any other refusal means that it is gone. */
  readonly open: (db: Reader, link: LinkToOpen) => Promise<OpenedLink>;
  /** True if there is something to see of an order that can no longer be paid. */
  readonly showsCancelled: boolean;
  /**
   * True if anybody who has the cart has the link, and not only whom the merchant sent it to: the bounds of publishable
   * keys hold, and a cart that became an order leads to the order's page.
   */
  readonly isStrangers: boolean;
}

/** The bounds of publishable keys, which hold on pages that are open to strangers. */
export interface Strangers {
  /** The client's network as it is recorded. */
  readonly networkOf: (request: Request) => string | null;
  /** Counts a page as a read or a write. Refuses with `rate_limited`. */
  readonly admit: (request: Request, mode: Mode) => Promise<unknown>;
  /** Runs what places an order, and counts it unless it is refused. Refuses with `too_many_orders`. */
  readonly place: <T extends { readonly status: number }>(
    request: Request,
    mode: Mode,
    place: () => Promise<T>,
  ) => Promise<T>;
}

/** A link that is opened, and everything needed for it. */
export interface Link extends LinkTerms, Pick<LinkToOpen, "token" | "isPressed"> {
  readonly pages: LinkPages;
  readonly request: Request;
  readonly strangers: Strangers;
}

/** The thing that a link opens, with what the shop offers for it now. */
export interface Opened extends OpenedLink {
  readonly link: Link;
  readonly shop: LinkShop;
  readonly bill: RecoveryBill;
  readonly store: LocalizedStore;
  readonly ways: readonly WayToPay[];
  /** The address of this page, to which the gateway returns the customer. */
  readonly address: string;
}

/** Opens the link in the shop that signed it. Refuses as its pages do. */
export async function openLink(link: Link): Promise<Opened> {
  const address = `${link.publicUrl()}${link.pages.path}/${link.token}`;
  const { shop, opened } = await findSigner(link.shops, (signer) => openFresh(link, signer));
  const found = { shop, ...opened };
  return { ...found, ...(await offer(found, link.pages)), link, address };
}

/** Opens the link again, after something was changed or refused. */
export async function reopen({ link, shop, address }: Opened): Promise<Opened> {
  const found = { shop, ...(await openFresh(link, shop)) };
  return { ...found, ...(await offer(found, link.pages)), link, address };
}

/** The page of what is opened, with a sentence about what went wrong. */
export function pageOf(
  opened: Opened,
  problem: string | null,
  typed: URLSearchParams | null = null,
): ShownPage {
  const { shop, recovery, bill, store, ways } = opened;
  return opened.render({
    store,
    mode: shop.mode,
    bill,
    problem,
    ways,
    typed,
    step: nextStepOf(recovery, store),
  });
}

async function offer(
  { shop, recovery }: Pick<Opened, "shop" | "recovery">,
  { isStrangers: isPublic }: LinkPages,
) {
  const store = await localize(await getStore(shop.database.read));
  const { currency } = recovery.kind === "order" ? recovery.whole.order : recovery.cart;
  // The button decides what is paid: all of it, or a deposit.
  const payment = { currency, amountMinor: null, isPublic, mode: shop.mode };
  const ways = waysToPay(store, offeredMethods(store, shop.gateways, payment));
  const bill = billOf(recovery, store, { offersPayment: ways.length > 0 });
  return { store, ways, bill };
}

/** Polls open attempts first: a returning customer may be faster than the gateway's notice. */
async function openFresh({ pages, token, isPressed }: Link, shop: LinkShop): Promise<OpenedLink> {
  const link = { token, now: shop.clock.now(), isPressed };
  const found = await pages.open(shop.database.read, link);
  const { recovery } = found;
  const attempts = recovery.kind === "order" ? recovery.payments.filter(isOpenAttempt) : [];
  if (attempts.length === 0) return found;
  await Promise.all(attempts.map(({ id }) => pollBriefly(shop, id, "read")));
  return pages.open(shop.database.read, link);
}
