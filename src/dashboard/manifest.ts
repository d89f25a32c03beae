// What a device needs to keep the dashboard on its home screen as an app of its own. It says no more than the page of
// the way in does, so it needs no session.

import { getStore } from "#shop/store/get-store.ts";

import { asset } from "./assets.ts";
import type { DashboardTerms } from "./terms.ts";

export const MANIFEST = "/dashboard/app.webmanifest";
/** Above the pages: green cloth, or the tape of the test shop. */
export const themes = { live: "#0a5a3a", test: "#e9a21b" } as const;
const PAPER = "#f8f4ec";
/** Browsers look at it with each page; a new name of the shop is seen within the hour. */
const CACHE = "private, max-age=3600";

/** The manifest, with the shop's name. */
export async function manifestResponse({ shops }: DashboardTerms): Promise<Response> {
  const { name } = await getStore(shops.live.database.read);
  const picture = { src: asset("icon.png"), sizes: "512x512", type: "image/png" };
  const manifest = {
    id: "/dashboard",
    name,
    short_name: name,
    start_url: "/dashboard",
    scope: "/dashboard",
    display: "standalone",
    theme_color: themes.live,
    background_color: PAPER,
    icons: [
      { src: asset("icon.svg"), sizes: "any", type: "image/svg+xml" },
      picture,
      { ...picture, purpose: "maskable" },
    ],
  };
  return Response.json(manifest, {
    headers: {
      "Content-Type": "application/manifest+json",
      "Cache-Control": CACHE,
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Resource-Policy": "same-origin",
    },
  });
}
