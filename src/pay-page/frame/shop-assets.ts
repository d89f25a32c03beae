// The style and the font of all pages of a shop: its shelves, the checkout, orders. Pages behind links belong to no
// origin, so the files are for every page that names them.

import instrument from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2" with { type: "file" };

import { addressOf, HashedFiles, shortened } from "#platform/http/hashed-files.ts";
import { type Router, unlisted } from "#platform/http/router.ts";
import { version } from "#platform/process/version.ts";

import style from "#pay-page/frame/shop.css" with { type: "text" };

/** The folder of the files, for policies. */
export const SHOP_ASSETS = "/shop-assets/";
const FONT = "instrument.woff2";

const files = new HashedFiles(
  SHOP_ASSETS,
  {
    "instrument.woff2": { type: "font/woff2", path: instrument },
    "shop.css": {
      type: "text/css; charset=utf-8",
      text: shortened(style.replace(FONT, addressOf(SHOP_ASSETS, FONT, version))),
    },
  },
  { "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin" },
);

/** The path of a file, which changes with what it holds. */
export function shopAsset(name: Parameters<typeof files.address>[0]): string {
  return files.address(name);
}

/** Adds the files. */
export function mountShopAssets(app: Router): void {
  app.all(
    `${SHOP_ASSETS}:name`,
    ({ request }) => files.respond(request) ?? new Response(null, { status: 404 }),
    unlisted,
  );
}
