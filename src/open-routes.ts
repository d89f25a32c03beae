// The routes that ask for no API key: notices of gateways, guides, the client, pages behind links, and what
// only test mode has.

import { mountMedia } from "#catalog/media/serve-media.ts";
import { mountProbe } from "#checks/probe.ts";
import { mountClient } from "#client/mount-client.ts";
import type { CommandUsage } from "#guides/fill-guide.ts";
import { mountGuides } from "#guides/mount-guides.ts";
import { mountReference } from "#guides/reference/mount-reference.ts";
import { realClock } from "#kernel/time.ts";
import { mountShopAssets } from "#pay-page/frame/shop-assets.ts";
import { linkPages } from "#pay-page/link-pages.ts";
import { mountPayPage } from "#pay-page/serve-pay-page.ts";
import { mountReturn } from "#pay-page/serve-return.ts";
import { strangersOf } from "#pay-page/serve-strangers.ts";
import { mountUnsubscribe } from "#pay-page/serve-unsubscribe.ts";
import { acceptNotice } from "#payments/reconciliation/notices.ts";
import { mountNotices } from "#payments/routes/mount-notices.ts";
import type { Mode } from "#platform/database/shop.ts";
import { mountSecurityContact } from "#platform/http/pages.ts";
import type { Router } from "#platform/http/router.ts";
import type { OpenRouteTerms } from "#platform/http/server/served.ts";
import type { Log } from "#platform/log/log.ts";
import type { AddressRanges } from "#platform/net/addresses.ts";
import type { Metrics } from "#platform/operator/metrics.ts";
import type { TimerRunner } from "#platform/scheduler/timers.ts";
import { mountInbox } from "#sandbox/inbox/serve-inbox.ts";
import { mountPictures } from "#sandbox/pictures/pictures.ts";
import { mountTestPage } from "#sandbox/simulated-gateway/serve-test-page.ts";
import { mountStore } from "#storefront/serve-store.ts";

import { document, guideFacts, tagNames } from "./interface.ts";
import type { OpenShop, Shops } from "./open-shops.ts";

/** The parts of a server that the routes without keys need. */
export interface OpenServing {
  readonly shops: Shops;
  readonly runners: Readonly<Record<Mode, TimerRunner<OpenShop>>>;
  readonly metrics: Metrics;
  readonly state: { readonly url: string };
  readonly log: Log;
  readonly commandUsages: readonly CommandUsage[] | undefined;
  /** True if the disk has room for more than live orders. */
  readonly hasRoom: () => boolean;
  readonly served: readonly Mode[];
  readonly securityContact: string | null;
  /** The address of the dashboard, without a final slash; null if it is not served. */
  readonly dashboardUrl: (() => string) | null;
  /** Whom the link of a sandbox lets in; absent elsewhere. */
  readonly entrance: ((token: string) => string | null) | undefined;
  /** Resolves to true while the doors of test mode that need no key are open. */
  readonly areDoorsOpen: () => Promise<boolean>;
  readonly trustedProxies: AddressRanges;
  /** The client's network as it is recorded, from the request and its peer. */
  readonly networkOf: (request: Request, peer: string) => string | null;
}

/** Adds the routes without API keys. */
export function mountOpen(app: Router, terms: OpenRouteTerms, serving: OpenServing): void {
  const { bodies, peerOf, visitors } = terms;
  const { shops, runners, metrics, state, log, commandUsages, hasRoom, served } = serving;
  const publicUrl = () => state.url;
  mountNotices(app, {
    bodies,
    rulesOf: (mode, gateway) => {
      const found = shops[mode].gateways.find(({ id }) => id === gateway);
      return served.includes(mode) ? (found?.noticeRules ?? null) : null;
    },
    take: async (mode, received) => {
      const reception = await acceptNotice(shops[mode], received);
      metrics.countNotice(mode, { gateway: received.gateway, ...reception });
      runners[mode].wake();
      return reception;
    },
  });
  addDashboard(terms, serving);
  addTestShop(terms, serving);
  const { trustedProxies } = serving;
  mountProbe(app, { vault: () => shops.live.database.vault, trustedProxies, peerOf });
  mountGuides(app, { facts: () => guideFacts(commandUsages ?? []), publicUrl });
  mountReference(app, { document: () => document(state.url), tags: tagNames, publicUrl });
  mountClient(app, document);
  mountMedia(
    app,
    served.map((mode) => shops[mode]),
    (error) => log.error("A picture could not be read.", { error }),
  );
  const { securityContact: contact, dashboardUrl, areDoorsOpen } = serving;
  if (contact !== null) mountSecurityContact(app, { contact, clock: realClock });
  if (served.includes("test")) {
    mountTestPage(app, { shop: shops.test, bodies, publicUrl });
    mountPictures(app);
    mountStore(app, { shop: shops.test, publicUrl, dashboardUrl, areDoorsOpen });
    mountInbox(app, shops.test, {
      bodies,
      hasRoom,
      isOpen: areDoorsOpen,
      onFault: (error) => log.error("The inbox failed.", { error }),
    });
  }
  const links = {
    shops: served.map((mode) => shops[mode]),
    onFault: (error: unknown) => log.error("The page of a link failed.", { error }),
  };
  mountShopAssets(app);
  mountReturn(app, links);
  mountUnsubscribe(app, { ...links, publicUrl });
  const networkOf = (request: Request) => serving.networkOf(request, peerOf(request));
  const strangers = strangersOf(visitors, networkOf);
  for (const pages of linkPages) {
    mountPayPage(app, pages, { ...links, bodies, publicUrl, strangers });
  }
}

/** Its pages are an eighth of the program, and many programs show none: they are loaded when one is asked for. */
function addDashboard(
  { addLater, inside, bodies, uploads, peerOf }: OpenRouteTerms,
  serving: OpenServing,
): void {
  const { shops, served, log, hasRoom, dashboardUrl, networkOf, entrance } = serving;
  if (dashboardUrl === null) return;
  addLater(["/dashboard", "/dashboard/*"], async (app) => {
    const { mountDashboard } = await import("#dashboard/pages/serve-dashboard.ts");
    mountDashboard(app, {
      inside,
      bodies,
      uploads,
      shops,
      people: shops.live,
      modes: served,
      url: dashboardUrl,
      ...(entrance === undefined ? {} : { entrance }),
      networkOf: (request) => networkOf(request, peerOf(request)),
      hasRoom,
      onFault: (error) => log.error("A page of the dashboard failed.", { error }),
    });
  });
}

/** The shop of test mode, a door that needs no key. */
function addTestShop({ addLater, inside, bodies }: OpenRouteTerms, serving: OpenServing): void {
  const { shops, served, state, log, areDoorsOpen } = serving;
  if (!served.includes("test")) return;
  const base = "/test/shop";
  addLater([base, `${base}/*`], async (app) => {
    const { mountShop } = await import("#storefront/serve-shop.ts");
    mountShop(app, {
      shop: shops.test,
      base,
      inside,
      bodies,
      publicUrl: () => state.url,
      isOpen: areDoorsOpen,
      onFault: (error) => log.error("A page of the shop failed.", { error }),
    });
  });
}
