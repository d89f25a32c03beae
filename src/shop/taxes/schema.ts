// Tax rates on the wire.

import Type, { type Static } from "typebox";

import { percentOf } from "#kernel/money.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import { field, resource } from "#platform/http/contract/resource.ts";
import { at, from, list, orNull, shape, wire } from "#platform/http/contract/wire.ts";
import {
  component,
  countryCode,
  idOf,
  instantOrDay,
  line,
  metadata,
  nullable,
  object,
  optional,
  percent,
  percentGiven,
  postalPrefix,
  taxClass,
} from "#platform/http/contract/words.ts";

import type { TaxRateSearch } from "./lookups.ts";
import { type CountryPreset, type PresetRate, presets } from "./presets.ts";
import { STANDARD_CLASS, type TaxRate } from "./tax-rate.ts";

const country = Type.String({
  ...countryCode,
  description: "ISO 3166-1 alpha-2 code, such as GH.",
});
const regionGiven = line(100, {
  description:
    "Only this region of the country. A region that has rates takes none of its country's, so create all of them. Compared without case, accents and hyphens with the `region` of addresses.",
});
const postalPrefixGiven = {
  ...postalPrefix,
  description:
    "Only addresses of the country whose postal codes begin so; in place of `region`. An area takes none of the rates of wider ones, so create all that hold in it; of two beginnings the longer one wins. Case, spaces and punctuation do not matter.",
};
const nameOnInvoices = line(60, {
  description: "As invoices name it, such as VAT.",
});
const time = { ...instantOrDay, description: undefined };
const validFrom = Type.Union(time.anyOf, {
  description:
    "The first instant at which the rate holds, or a day in the store's time zone, such as 2026-01-01, from whose first instant it holds. By default now.",
});
const validUntil = Type.Union([...time.anyOf, Type.Null()], {
  description:
    "The first instant at which the rate no longer holds, or a day in the store's time zone, on which it no longer holds. Null means no end.",
});

/** The response of a rate, and the fields of a new one. */
export const taxRateFields = resource<TaxRate>()("TaxRate", {
  id: idOf("taxRate"),
  country: field(country, { given: country, on: "create" }),
  region: field(nullable(line(100)), {
    given: nullable(regionGiven),
    initially: null,
    on: "create",
  }),
  postal_prefix: field(nullable(line(20)), {
    given: nullable(postalPrefixGiven),
    initially: null,
    on: "create",
  }),
  tax_class: field(taxClass, { given: taxClass, initially: STANDARD_CLASS, on: "create" }),
  name: field(line(60), { given: nameOnInvoices, on: "create" }),
  rate: from(({ millionths }: TaxRate) => percentOf(millionths), percent),
  valid_from: at,
  valid_until: orNull(at),
  metadata: field(metadata, { given: metadata, initially: {} }),
  version: Type.Integer({ minimum: 1 }),
  created_at: at,
  updated_at: at,
});

export const newTaxRateSchema = component("CreateTaxRate", {
  ...taxRateFields.newMembers,
  rate: percentGiven,
  valid_from: optional(validFrom),
});
export type NewTaxRate = Static<typeof newTaxRateSchema>;

export const taxRateChangeSchema = object({
  valid_until: optional(validUntil),
  ...taxRateFields.changeMembers,
});
export type TaxRateChange = Static<typeof taxRateChangeSchema>;

export const taxRateQuerySchema = object({
  country: optional(country),
  active_at: optional(
    Type.Union(time.anyOf, {
      description:
        "The rates that hold at this instant, or at the first instant of this day in the store's time zone.",
    }),
  ),
});

const presetRateShape = shape<PresetRate>()({
  tax_class: taxClass,
  name: line(60),
  rate: from(({ millionths }: PresetRate) => percentOf(millionths), percent),
  valid_from: Type.String({ format: "date" }),
  law: Type.String(),
  source: Type.String({ format: "uri" }),
});

/** The response of a country's preset rates. */
export const presetWire = wire<CountryPreset>()("TaxPreset", {
  country,
  rates: list(presetRateShape),
});

export const adoptionSchema = object({ country });

/** The response of an adoption. */
export const adoptedWire = wire<{ readonly rates: readonly TaxRate[] }>()("AdoptedTaxRates", {
  rates: list(taxRateFields.wire),
});

/** Reads the filters of a list. */
export function readTaxRateSearch(query: Static<typeof taxRateQuerySchema>): TaxRateSearch {
  return { country: query.country, activeAt: query.active_at };
}

/** A page of the presets, in the order of their countries. */
export function presetsAfter({ limit, after }: PageRequest): Page<CountryPreset> {
  const left = presets.filter((preset) => after === null || preset.country > after);
  return { rows: left.slice(0, limit), hasMore: left.length > limit };
}
