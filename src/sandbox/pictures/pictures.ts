// The pictures of the seeded products: drawings of our own, part of the program. Invariant: they are
// the same for every shop and hold no data, so they need no key.

import { mountPages, once, type Page, textPage } from "#platform/http/pages.ts";
import type { Router } from "#platform/http/router.ts";
import basket from "#sandbox/pictures/basket.svg" with { type: "text" };
import bracelet from "#sandbox/pictures/bracelet.svg" with { type: "text" };
import coffee from "#sandbox/pictures/coffee.svg" with { type: "text" };
import honey from "#sandbox/pictures/honey.svg" with { type: "text" };
import lantern from "#sandbox/pictures/lantern.svg" with { type: "text" };
import mug from "#sandbox/pictures/mug.svg" with { type: "text" };
import shea from "#sandbox/pictures/shea.svg" with { type: "text" };
import shirt from "#sandbox/pictures/shirt.svg" with { type: "text" };
import soap from "#sandbox/pictures/soap.svg" with { type: "text" };
import sobolo from "#sandbox/pictures/sobolo.svg" with { type: "text" };
import throwPicture from "#sandbox/pictures/throw.svg" with { type: "text" };
import tote from "#sandbox/pictures/tote.svg" with { type: "text" };

/** A day: a new version may draw them anew under the same names. */
const CACHE = "public, max-age=86400";

const drawings = {
  basket,
  bracelet,
  coffee,
  honey,
  lantern,
  mug,
  shea,
  shirt,
  soap,
  sobolo,
  throw: throwPicture,
  tote,
} as const;

export type PictureName = keyof typeof drawings;

/** The path of a picture, to be appended to the server's address. */
export function picturePath(name: PictureName): string {
  return `/test/pictures/${name}.svg`;
}

/** Mounts `/test/pictures/{name}.svg`. */
export function mountPictures(app: Router): void {
  const pages = Object.entries(drawings).map(([name, text]) => [
    `/test/pictures/${name}.svg`,
    once(() => pictureOf(text)),
  ]);
  mountPages(app, Object.fromEntries(pages));
}

function pictureOf(text: string): Page {
  const page = textPage(text, "image/svg+xml");
  return { ...page, headers: { ...page.headers, "Cache-Control": CACHE } };
}
