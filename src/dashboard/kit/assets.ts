// The files of the dashboard's pages, parts of the program. Invariant: a file's name has a hash of what it holds, so
// that browsers may keep it forever, and fetch a new version at once.

import { gzipSync } from "node:zlib";

import instrument from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2" with { type: "file" };

import script from "#dashboard/assets/duka.js" with { type: "text" };
import iconPng from "#dashboard/assets/icon.png" with { type: "file" };
import icon from "#dashboard/assets/icon.svg" with { type: "text" };
import passkeyScript from "#dashboard/assets/passkey.js" with { type: "text" };
import worker from "#dashboard/assets/sw.js" with { type: "text" };
import { version } from "#platform/process/version.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { DashboardTerms } from "./terms.ts";

import style from "#dashboard/assets/duka.css" with { type: "text" };

const FOREVER = "public, max-age=31536000, immutable";

const names = [
  "duka.css",
  "duka.js",
  "passkey.js",
  "icon.svg",
  "icon.png",
  "instrument.woff2",
] as const;
type AssetName = (typeof names)[number];

interface Asset {
  readonly type: string;
  /** The text, or the path of a file that is packed already. */
  readonly text?: string;
  readonly path?: string;
}

const assets: Readonly<Record<AssetName, Asset>> = {
  "instrument.woff2": { type: "font/woff2", path: instrument },
  "duka.css": { type: "text/css; charset=utf-8", text: shortened(withFont(style)) },
  "duka.js": { type: "text/javascript; charset=utf-8", text: shortened(script) },
  "passkey.js": { type: "text/javascript; charset=utf-8", text: shortened(passkeyScript) },
  "icon.svg": { type: "image/svg+xml", text: icon },
  // For home screens that show no SVG; the whole square is filled, so that any shape can be cut out.
  "icon.png": { type: "image/png", path: iconPng },
};

/** Without comments, empty lines and indentation. No file has a text of several lines, or a comment after code. */
function shortened(text: string): string {
  return text
    .replaceAll(/^\s*\/\*.*?\*\/$/gms, "")
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/^\s+/gm, "");
}

/** The style names the font by its file. */
function withFont(text: string): string {
  return text.replace("url(instrument.woff2)", `url(${addressOf("instrument.woff2", version)})`);
}

function addressOf(name: AssetName, distinct: string): string {
  const [stem = "", ending = ""] = name.split(".");
  return `/dashboard/assets/${stem}.${Bun.hash(distinct).toString(36)}.${ending}`;
}

/** The address of a file of the dashboard. */
export function asset(name: AssetName): string {
  return addressOf(name, assets[name].text ?? version);
}

/** The script of the worker, whose address is always the same: browsers look for a new version by themselves. */
export function workerScript(): string {
  return shortened(worker).replace("ICON", asset("icon.png"));
}

const packed = new Map<string, Uint8Array<ArrayBuffer>>();

/** The file at an address of `asset`; null if there is none, as of another version. */
export function assetResponse(request: Request, address: string): Response | null {
  for (const name of names) {
    if (asset(name) !== address) continue;
    const found = assets[name];
    const headers = {
      "Content-Type": found.type,
      "Cache-Control": FOREVER,
      "Cross-Origin-Resource-Policy": "same-origin",
    };
    if (found.path !== undefined) return new Response(Bun.file(found.path), { headers });
    const text = found.text ?? "";
    if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) {
      return new Response(text, { headers: { ...headers, Vary: "Accept-Encoding" } });
    }
    const bytes = packed.get(name) ?? new Uint8Array(gzipSync(text, { level: 9 }));
    packed.set(name, bytes);
    return new Response(bytes, {
      headers: { ...headers, Vary: "Accept-Encoding", "Content-Encoding": "gzip" },
    });
  }
  return null;
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
