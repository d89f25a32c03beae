// How the shop appears to customers, on the wire.

import Type, { type Static } from "typebox";

import type { Change, WholeChange } from "#kernel/change.ts";
import {
  email,
  emailGiven,
  line,
  matching,
  nullable,
  optional,
  phone,
  phoneGiven,
  webAddress,
} from "#platform/http/contract/words.ts";
import type { Branding } from "#shop/store/branding.ts";

const locale = line(35, {
  description:
    "BCP 47 tag of the language and region of the pages and emails for customers, such as en-GH: how they write dates and amounts. Their words are French (fr) and Swahili (sw) where it says so, else English. Null writes amounts with their currency code.",
});
const logoUrl = Type.String({
  ...webAddress,
  // A policy that names a folder would allow everything in it, so the address ends in a file.
  ...matching(
    "^https://[^/?#]+/[^?#]*[^/?#](\\?[^#]*)?$",
    "This is not the address of a file by https, such as https://shop.example.org/logo.png.",
  ),
  description: "Address of the logo on the pages for customers: a file, by https.",
});
const brandColor = Type.String({
  ...matching("^#[0-9a-fA-F]{6}$", "This is not a color as #rrggbb, such as #1a7f37."),
  maxLength: 7,
  description:
    "Color of the buttons on the pages for customers, as #rrggbb. Their text is black or white, whichever is easier to read.",
});
const websiteUrl = Type.String({
  ...webAddress,
  description: "Address of the shop's website, to which the pages for customers link.",
});
const supportLine = {
  description: "A line below the pages for customers, such as opening hours or terms.",
};

/** The fields of the branding in answers, to be spread into the settings. */
export const brandingFields = {
  locale: nullable(locale),
  logo_url: nullable(logoUrl),
  brand_color: nullable(brandColor),
  contact_email: nullable(email),
  contact_phone: nullable(phone),
  website_url: nullable(websiteUrl),
  support_line: nullable(line(300, supportLine)),
};

/** The same in requests. */
export const brandingChangeFields = {
  locale: optional(nullable(locale)),
  logo_url: optional(nullable(logoUrl)),
  brand_color: optional(nullable(brandColor)),
  contact_email: optional(nullable(emailGiven)),
  contact_phone: optional(nullable(phoneGiven)),
  website_url: optional(nullable(websiteUrl)),
  support_line: optional(nullable(line(300, supportLine))),
};

const brandingChangeSchema = Type.Object(brandingChangeFields);

/** Reads a change of the branding from a request body. */
export function readBrandingChange(
  body: Static<typeof brandingChangeSchema>,
): WholeChange<Change<Branding>> {
  return {
    locale: body.locale,
    logoUrl: body.logo_url,
    brandColor: body.brand_color,
    contactEmail: body.contact_email,
    contactPhone: body.contact_phone,
    websiteUrl: body.website_url,
    supportLine: body.support_line,
  };
}
