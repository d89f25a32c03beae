// The files of the dashboard's pages, and what a home screen is told of them.

import instrument from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2" with { type: "file" };

import script from "#dashboard/assets/duka.js" with { type: "text" };
import iconPng from "#dashboard/assets/icon.png" with { type: "file" };
import icon from "#dashboard/assets/icon.svg" with { type: "text" };
import passkeyScript from "#dashboard/assets/passkey.js" with { type: "text" };
import worker from "#dashboard/assets/sw.js" with { type: "text" };
import { addressOf, HashedFiles, shortened } from "#platform/http/hashed-files.ts";
import { version } from "#platform/process/version.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { DashboardTerms } from "./terms.ts";

import style from "#dashboard/assets/duka.css" with { type: "text" };

const FOLDER = "/dashboard/assets/";
const FONT = "instrument.woff2";

/** The style names the font by its file. */
function withFont(text: string): string {
  return text.replace(`url(${FONT})`, `url(${addressOf(FOLDER, FONT, version)})`);
}

const files = new HashedFiles(
  FOLDER,
  {
    "instrument.woff2": { type: "font/woff2", path: instrument },
    "duka.css": { type: "text/css; charset=utf-8", text: shortened(withFont(style)) },
    "duka.js": { type: "text/javascript; charset=utf-8", text: shortened(script) },
    "passkey.js": { type: "text/javascript; charset=utf-8", text: shortened(passkeyScript) },
    "icon.svg": { type: "image/svg+xml", text: icon },
    // For home screens that show no SVG; the whole square is filled, so that any shape can be cut out.
    "icon.png": { type: "image/png", path: iconPng },
  },
  { "Cross-Origin-Resource-Policy": "same-origin" },
);

/** The address of a file of the dashboard. */
export function asset(name: Parameters<typeof files.address>[0]): string {
  return files.address(name);
}

/** The script of the worker, whose address is always the same: browsers look for a new version by themselves. */
export function workerScript(): string {
  return shortened(worker).replace("ICON", asset("icon.png"));
}

/** The file at an address of `asset`; null if there is none, as of another version. */
export function assetResponse(request: Request): Response | null {
  return files.respond(request);
}

// The manifest with which a device keeps the dashboard on its home screen as an app of its own. It says no more than
// the page of the way in does, so it needs no session.

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
