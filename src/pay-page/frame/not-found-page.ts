// The page of an address that leads nowhere, for someone who typed it or followed an old link.

import type { Shop } from "#platform/database/shop.ts";
import { html } from "#platform/html/html.ts";
import { tagOf } from "#shop/store/branding.ts";

import { findShopfront } from "./find-shopfront.ts";
import { paperPage, paperPolicy, plainHeader } from "./paper-page.ts";
import { renderWayOn } from "./shop-frame.ts";

interface NotFoundTerms {
  readonly request: Request;
  readonly publicUrl: string;
  readonly onFault: (error: unknown) => void;
}

/** The page in the look of the shop, with the way to it. */
export async function answerNotFound(
  shops: readonly Pick<Shop, "database">[],
  { request, publicUrl, onFault }: NotFoundTerms,
): Promise<Response> {
  const shop = await findShopfront(shops, onFault);
  const { notFound: heading, nothingHere: sentence } = shop.words.faults;
  const text = paperPage({
    shop,
    mode: "live",
    title: heading,
    head: html`<meta name="robots" content="noindex" />`,
    header: plainHeader(shop),
    main: html`<div class="wrap alone">
      <h1>${heading}</h1>
      <p class="soft">${sentence}</p>
      ${renderWayOn(shop)}
    </div>`,
    footer: null,
  });
  return new Response(text, {
    status: 404,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": tagOf(shop.language, shop.locale),
      "Cache-Control": "no-store",
      "Content-Security-Policy": paperPolicy(request, shop.brandColor, {
        publicUrl,
        pictures: [],
        forms: [],
      }),
    },
  });
}
