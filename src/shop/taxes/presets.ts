// The rates that a shop can adopt for its country: offered, and never applied by themselves. They are the rates
// as published for 2026; a merchant checks them with the tax authority. A rate that changes later gets a further
// row with its own date; rows are never edited.

/** A rate of a whole country. */
export interface PresetRate {
  readonly taxClass: "standard" | "reduced" | "zero";
  readonly name: string;
  /** Parts per million. */
  readonly millionths: number;
  /** The first day, in the store's time zone. */
  readonly validFrom: string;
  /** The law that sets the rate. */
  readonly law: string;
  /** The address at which the tax authority publishes it. */
  readonly source: string;
}

/** The rates of one country, in the order in which they are written. */
export interface CountryPreset {
  readonly country: string;
  readonly rates: readonly PresetRate[];
}

const IN_2026 = "2026-01-01";
type Published = Pick<PresetRate, "law" | "source">;

/** Three components of the same base, without a cascade. */
const GHANA: Published = {
  law: "Value Added Tax Act, 2025 (Act 1151)",
  source: "https://gra.gov.gh/domestic-tax/tax-types/vat/",
};
/** 16 % since 2021-01-01. */
const KENYA: Published = {
  law: "Value Added Tax Act, 2013",
  source: "https://www.kra.go.ke/business/companies-partnerships/value-added-tax",
};
const NIGERIA: Published = {
  law: "Nigeria Tax Act, 2025",
  source: "https://www.nrs.gov.ng/",
};
/** Section 187: basic food, medicine and books among others. */
const NIGERIA_ZERO: Published = { ...NIGERIA, law: "Nigeria Tax Act, 2025, section 187" };
/** The standard rates of the member states: Romania 21 % since 2025-08, Estonia 24 % since 2025-07. */
const EUROPE: Published = {
  law: "Council Directive 2006/112/EC, article 97, as each member state applies it",
  source: "https://europa.eu/youreurope/business/taxation/vat/vat-rules-rates/index_en.htm",
};
/**
 * The reduced rates of the member states, of at least 5 %, as the Commission's page has them in November 2026. A state may
 * have two: this is that of food where food as a whole has one, else that of books (BG, EE, HU, LT, LV, MT, SK), else the
 * one that its law calls the reduced rate (IE, LU). Finland 13.5 % and Lithuania 5 % since 2026-01, Romania 11 % since
 * 2025-08, Sweden 6 % for food since 2026-04. Rates below 5 % and further reduced ones are for the merchant to add.
 */
const EUROPE_REDUCED: Published = {
  ...EUROPE,
  law: "Council Directive 2006/112/EC, article 98, as each member state applies it",
};

function vat(
  millionths: number,
  published: Published,
  taxClass: PresetRate["taxClass"] = "standard",
): PresetRate {
  return { taxClass, name: "VAT", millionths, validFrom: IN_2026, ...published };
}

/** A member state of the European Union, with its standard rate and its reduced one. */
function member(country: string, standard: number, reduced: number): CountryPreset {
  return {
    country,
    rates: [vat(standard, EUROPE), vat(reduced, EUROPE_REDUCED, "reduced")],
  };
}

/** Every country that has preset rates, by its code. */
export const presets: readonly CountryPreset[] = [
  member("AT", 200_000, 100_000),
  member("BE", 210_000, 60_000),
  member("BG", 200_000, 90_000),
  member("CY", 190_000, 50_000),
  member("CZ", 210_000, 120_000),
  member("DE", 190_000, 70_000),
  // The only one without a reduced rate.
  { country: "DK", rates: [vat(250_000, EUROPE)] },
  member("EE", 240_000, 90_000),
  member("ES", 210_000, 100_000),
  member("FI", 255_000, 135_000),
  member("FR", 200_000, 55_000),
  {
    country: "GH",
    rates: [
      { ...vat(25_000, GHANA), name: "NHIL" },
      { ...vat(25_000, GHANA), name: "GETFund levy" },
      vat(150_000, GHANA),
    ],
  },
  member("GR", 240_000, 130_000),
  member("HR", 250_000, 50_000),
  member("HU", 270_000, 50_000),
  member("IE", 230_000, 135_000),
  member("IT", 220_000, 100_000),
  { country: "KE", rates: [vat(160_000, KENYA), vat(0, KENYA, "zero")] },
  member("LT", 210_000, 50_000),
  member("LU", 170_000, 80_000),
  member("LV", 210_000, 50_000),
  member("MT", 180_000, 50_000),
  { country: "NG", rates: [vat(75_000, NIGERIA), vat(0, NIGERIA_ZERO, "zero")] },
  member("NL", 210_000, 90_000),
  member("PL", 230_000, 50_000),
  member("PT", 230_000, 60_000),
  member("RO", 210_000, 110_000),
  {
    country: "SE",
    rates: [
      vat(250_000, EUROPE),
      { ...vat(60_000, EUROPE_REDUCED, "reduced"), validFrom: "2026-04-01" },
    ],
  },
  member("SI", 220_000, 95_000),
  member("SK", 230_000, 50_000),
];
