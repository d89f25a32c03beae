// How the shop appears to customers on its pages: its language, logo, color, contact and line.

/** The merchant's settings; null: pages do without it. */
export interface Branding {
  /** BCP 47, such as fr-CI: the language, where there are texts in it, and how dates and amounts are written. Null: `GHS 249.50`. */
  readonly locale: string | null;
  readonly logoUrl: string | null;
  /** As #rrggbb. */
  readonly brandColor: string | null;
  readonly contactEmail: string | null;
  /** E.164. */
  readonly contactPhone: string | null;
  readonly websiteUrl: string | null;
  readonly supportLine: string | null;
}

/** The branding of a new shop. */
export const plainBranding: Branding = {
  locale: null,
  logoUrl: null,
  brandColor: null,
  contactEmail: null,
  contactPhone: null,
  websiteUrl: null,
  supportLine: null,
};

/** Returns true if the runtime writes dates and amounts as people of this locale do. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
