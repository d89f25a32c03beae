// A postal address, of a customer, an order or a cart. Every part may be unknown.

export interface Address {
  readonly name: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly phone: string | null;
}

/** Removes accents from Latin letters only: in other scripts a mark can be a letter. */
const LATIN_WITH_MARKS = /(\p{Script=Latin})\p{M}+/gu;
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * The name of a region as names are compared: `Île-de-France` is `ile de France`. Empty where the text has
 * neither a letter nor a digit.
 */
export function foldRegion(name: string): string {
  // Most addresses have none.
  if (name === "") return "";
  return name
    .normalize("NFKD")
    .replaceAll(LATIN_WITH_MARKS, "$1")
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(NEITHER_LETTER_NOR_DIGIT, "");
}

/** A postal code, or its beginning, as codes are compared: `SW1A 1AA` is `sw1a-1aa`. */
export function foldPostalCode(code: string): string {
  if (code === "") return "";
  return code.normalize("NFKD").toUpperCase().replaceAll(NEITHER_LETTER_NOR_DIGIT, "");
}

/**
 * The codes of ISO 3166-1, and XK, which Kosovo has until it gets one. The runtime also names unions, former countries
 * and other codes of a country, such as UK: no address has them, so rates and zones for them would never hold.
 */
const countries: ReadonlySet<string> = new Set(
  `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR
  BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ
  EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW
  GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY
  KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV
  MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY
  QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG
  TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA
  ZM ZW
`
    .trim()
    .split(/\s+/),
);

/** Returns true if this is the ISO 3166-1 alpha-2 code of a country. */
export function isCountry(code: string): boolean {
  return countries.has(code);
}
