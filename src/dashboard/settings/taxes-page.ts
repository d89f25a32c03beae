// Taxes: what prices contain, the rates and their days, and the rates that the shop's country publishes.

import type { Static } from "typebox";

import type { Page } from "#dashboard/kit/page.ts";
import { checkbox, input, nonceField, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { shortDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { countryName } from "#pay-page/delivery/read-address.ts";
import { attribute, type Html, html, isolated } from "#platform/html/html.ts";
import { presetWire, taxRateFields } from "#shop/taxes/schema.ts";

import { afterCursor, withoutPayments } from "./lists.ts";

type TaxRate = Static<typeof taxRateFields.wire.schema>;
type Preset = Static<(typeof presetWire)["schema"]>;

const { settings } = en;
const PATH = "/settings/taxes";

export const taxesPage: Page = {
  path: PATH,
  scopes: ["taxes:read"],
  show: async (visit) => {
    const rates = await visit.list(taxRateFields.wire, "GET /v2/tax-rates", {
      query: afterCursor(visit),
    });
    const preset = rates.data.length === 0 ? await presetOf(visit) : null;
    return {
      title: settings.taxes,
      body: html`${heading({ title: settings.taxes, back: [visit.href("/settings"), settings.title] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <p class="soft narrow">${settings.taxesWhat}</p>
        ${
          rates.data.length === 0
            ? html`${emptyList(settings.noTaxes, settings.noTaxesWhat)} ${countryFirst(visit)}`
            : html`<ul class="rows">
                ${rates.data.map((rate) => html`<li>${rowOf(visit, rate)}</li>`)}
              </ul>`
        }
        ${olderLink(visit, rates)}
        ${visit.may("taxes:write") && html`${preset !== null && presetPart(visit, preset)} ${newPart(visit)}`}
        ${visit.may("store:write") && termsPart(visit, rates.data.length === 0)}`,
    };
  },
  forms: {
    add: { route: "POST /v2/tax-rates", doneMessage: "added" },
    take: { route: "POST /v2/tax-rates/presets", doneMessage: "added" },
    terms: { route: "PUT /v2/store", doneMessage: "saved", prepareBody: withoutPayments, undo: {} },
  },
};

export const endTaxPage: Page = {
  path: `${PATH}/{id}/end`,
  scopes: ["taxes:write"],
  show: async (visit) => {
    const { params } = visit;
    const rate = await visit.ask(taxRateFields.wire, "GET /v2/tax-rates/{id}", { params });
    const title = settings.endTaxTitle(nameOf(rate));
    return {
      title,
      body: html`${heading({ title, back: [visit.href(PATH), settings.taxes] })}
        ${refusedNote(visit.submitted)}
        <form
          class="stack form"
          method="post"
          action="${visit.href(`${PATH}/${rate.id}/end`)}/sure"
        >
          ${versionField(visit.submitted, rate.version)}
          ${input(visit.submitted, { label: settings.endsOn, name: "/valid_until", type: "date", isRequired: true })}
          <p><button class="go">${settings.endTax}</button></p>
        </form>`,
    };
  },
  forms: {
    sure: {
      route: "PUT /v2/tax-rates/{id}",
      doneMessage: "changed",
      redirectTo: () => PATH,
      undo: {},
    },
  },
};

function nameOf({ name, rate, country, region, postal_prefix: prefix }: TaxRate): string {
  const part = region ?? (prefix === null ? null : `${prefix}…`);
  return `${isolated(name)} ${rate} %, ${country}${part === null ? "" : ` ${part}`}`;
}

function rowOf(visit: Visit, rate: TaxRate): Html {
  const { valid_from: from, valid_until: until, tax_class } = rate;
  const days = [
    settings.since(shortDayOf(from, visit.when)),
    until === null ? null : settings.until(shortDayOf(until, visit.when)),
    tax_class === "standard" ? null : tax_class,
  ];
  const row = html`<span class="name">${nameOf(rate)}</span
    ><span class="what">${days.filter((day) => day !== null).join(" · ")}</span>`;
  if (until !== null || !visit.may("taxes:write")) return html`<div class="row">${row}</div>`;
  return html`<a class="row" href="${visit.href(`${PATH}/${rate.id}/end`)}"
    >${row}<span class="sum small">${settings.endTax}</span></a
  >`;
}

/** The form in which the country is chosen that decides which rates are offered; null once the shop has one. */
function countryFirst(visit: Visit): Html | null {
  if (visit.store.country !== null || !visit.may("store:write")) return null;
  return html`<p><a href="${visit.href("/settings/shop")}">${settings.countryFirst}</a></p>`;
}

/** The rates that the shop's country publishes; null if the shop has no country, or there is nothing of it. */
async function presetOf(visit: Visit): Promise<Preset | null> {
  const query = { limit: "100" };
  const { data } = await visit.list(presetWire, "GET /v2/tax-rates/presets", { query });
  return data.find(({ country }) => country === visit.store.country) ?? null;
}

function presetPart(visit: Visit, { country, rates }: Preset): Html {
  return html`<section>
    <h2>${settings.presets(countryName(country, "en"))}</h2>
    <p class="soft">${settings.presetsWhat}</p>
    <ul class="rows">
      ${rates.map(
        ({ name, rate, tax_class: taxClass, source }) =>
          html`<li class="line">
            <span>${name} ${rate} %${taxClass !== "standard" && ` · ${taxClass}`}</span
            ><a class="small" href="${source}" rel="noreferrer">${new URL(source).hostname}</a>
          </li>`,
      )}
    </ul>
    <form method="post" action="${visit.href(PATH)}/take">
      ${nonceField()}
      <input type="hidden" name="/country" value="${country}" /><button class="go">
        ${settings.takePresets}
      </button>
    </form>
  </section>`;
}

function newPart(visit: Visit): Html {
  const { submitted, store } = visit;
  const own = submitted?.name === "add" ? submitted : null;
  return html`<section>
    <h2>${settings.addTax}</h2>
    <form class="stack form" method="post" action="${visit.href(PATH)}/add">
      ${nonceField()}
      ${input(own, { label: settings.taxName, name: "/name", hint: settings.taxNameHint, isRequired: true })}
      <div class="pair">
        ${input(own, { label: settings.rate, name: "/rate", digits: "decimal", isRequired: true })}
        ${input(own, { label: settings.country, name: "/country", value: store.country, hint: settings.countryCode, isRequired: true })}
      </div>
      ${input(own, { label: settings.from, name: "/valid_from", type: "date", hint: settings.fromHint })}
      <details ${attribute("open", own !== null)}>
        <summary>${settings.taxPart}</summary>
        <div class="stack">
          ${input(own, { label: settings.taxClass, name: "/tax_class", hint: settings.taxClassHint })}
          <div class="pair">
            ${input(own, { label: settings.taxRegion, name: "/region", hint: settings.taxRegionHint })}
            ${input(own, { label: settings.postalPrefix, name: "/postal_prefix", hint: settings.postalPrefixHint })}
          </div>
        </div>
      </details>
      <p><button>${settings.addTax}</button></p>
    </form>
  </section>`;
}

function termsPart(visit: Visit, isWithoutRates: boolean): Html {
  const { store } = visit;
  const own = visit.submitted?.name === "terms" ? visit.submitted : null;
  return html`<section>
    <h2>${settings.prices}</h2>
    <form class="stack form" method="post" action="${visit.href(PATH)}/terms">
      ${versionField(own, store.version)}
      ${checkbox(own, { label: settings.pricesInclude, name: "/prices_include_tax", isChecked: store.prices_include_tax })}
      ${isWithoutRates && checkbox(own, { label: settings.noTax, name: "/no_taxes", isChecked: store.no_taxes, hint: settings.noTaxHint })}
      ${input(own, { label: settings.taxId, name: "/tax_id", value: store.tax_id })}
      ${input(own, { label: settings.legalName, name: "/legal_name", value: store.legal_name, hint: settings.legalNameHint })}
      <p><button>${en.save}</button></p>
    </form>
  </section>`;
}
