// One request for a page of the shop. Invariant: a page asks the interface as a stranger, so audience, units and limits
// are those of every visitor with a publishable key, and no key exists.

import type { Static } from "typebox";

import type { collectionWire } from "#catalog/collections/schema.ts";
import type { productWire } from "#catalog/products/schema.ts";
import { Asker } from "#dashboard/kit/asker.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Shopfront } from "#pay-page/frame/shop-frame.ts";
import { print } from "#pay-page/sums.ts";
import { inEnglish } from "#pay-page/words/localize.ts";
import { storefrontWire } from "#payments/routes/storefront-schema.ts";
import type { Mode, Shop } from "#platform/database/shop.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { Bodies } from "#platform/http/intake/bodies.ts";
import type { Inside } from "#platform/http/server/inside.ts";
import { expandScopes } from "#shop/keys/scopes.ts";

import { en, type ShopWords } from "./words/en.ts";

export type Product = Static<(typeof productWire)["schema"]>;
export type Collection = Static<(typeof collectionWire)["schema"]>;
type Storefront = Static<(typeof storefrontWire)["schema"]>;

export interface ShopTerms {
  readonly shop: Pick<Shop, "mode" | "clock">;
  /** The path of the shop without a slash at its end; empty where it stands at the root. */
  readonly base: string;
  readonly inside: Inside;
  readonly bodies: Bodies;
  readonly publicUrl: () => string;
  /** Resolves to true while strangers may see the shop. */
  readonly isOpen: () => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
}

const scopes = expandScopes(["storefront"]);

/** A visitor of whom nothing is known. */
function strangerIn(mode: Mode): Caller {
  return {
    actor: { type: "system", id: "visitor" },
    name: "A visitor of the shop",
    lineage: "visitor",
    hasPresetFull: false,
    mode,
    scopes,
    isPublic: true,
    ratePerMinute: null,
    expiresAt: null,
  };
}

export class ShopVisit {
  readonly request: Request;
  readonly url: URL;
  readonly terms: ShopTerms;
  readonly asker: Asker;
  readonly storefront: Storefront;
  /** The look of the pages. */
  readonly front: Shopfront;
  readonly words: ShopWords = en;

  private constructor(terms: ShopTerms, asker: Asker, storefront: Storefront) {
    this.request = asker.request;
    this.url = new URL(asker.request.url);
    this.terms = terms;
    this.asker = asker;
    this.storefront = storefront;
    this.front = frontOf(storefront);
  }

  /** Reads what each page shows of the shop. Throws `Refused`. */
  static async open(terms: ShopTerms, request: Request): Promise<ShopVisit> {
    const caller = strangerIn(terms.shop.mode);
    const asker = new Asker({ inside: terms.inside, request, caller });
    return new ShopVisit(terms, asker, await asker.ask(storefrontWire, "GET /v2/storefront"));
  }

  /** The address of a page of this shop. */
  path(path: string): string {
    const whole = `${this.terms.base}${path}`;
    return whole.length > 1 && whole.endsWith("/") ? whole.slice(0, -1) : whole;
  }

  /** A picture of this server at the host that the browser named: the policy lets in no other one without https. */
  source(url: string): string {
    const own = this.terms.publicUrl();
    return url.startsWith(`${own}/`) ? url.slice(own.length) : url;
  }

  amount(amountMinor: number, currency: CurrencyCode): string {
    return print(amountMinor, currency, this.storefront.locale);
  }
}

/** The pages have no words in other languages yet, so they say that they are in English. */
function frontOf({ name, locale, look, contact }: Storefront): Shopfront {
  return inEnglish({
    name,
    locale,
    logoUrl: look.logo,
    brandColor: look.color,
    contactEmail: contact.email,
    contactPhone: contact.phone,
    websiteUrl: contact.website,
    supportLine: contact.support_line,
  });
}
