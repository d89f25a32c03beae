// One shipping zone: its places and its prices.

import type { Page } from "#dashboard/kit/page.ts";
import {
  amountInput,
  checkbox,
  hiddenAmount,
  input,
  nonceField,
  versionField,
} from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";
import { shippingRates } from "#pricing/shipping/rate-schema.ts";
import { shippingZones } from "#pricing/shipping/zone-schema.ts";

import { removalPage } from "./lists.ts";
import { placesOf, priceOf, type Rate, SHIPPING, type Zone } from "./shipping-page.ts";

const { settings } = en;
const ZONES = `${SHIPPING}/zones`;
const RATES = `${SHIPPING}/rates`;
/** All countries are typed into the field of the first place. */
const COUNTRIES = "/places/0/country";

export const newZonePage: Page = {
  path: `${ZONES}/new`,
  scopes: ["shipping:write"],
  show: async (visit) => ({
    title: settings.newZone,
    body: html`${heading({ title: settings.newZone, back: [visit.href(SHIPPING), settings.shipping] })}
      ${refusedNote(visit.submitted)}
      <form class="stack form" method="post" action="${visit.href(`${ZONES}/new`)}/make">
        ${nonceField()}
        ${input(visit.submitted, { label: settings.zoneName, name: "/name", isRequired: true, isFirst: visit.submitted === null })}
        ${countriesField(visit, visit.store.country ?? "")}
        <p><button class="go">${settings.addZone}</button></p>
      </form>`,
  }),
  forms: {
    make: {
      route: "POST /v2/shipping-zones",
      doneMessage: "added",
      prepareBody: withPlaces,
      fieldOf: fieldOfCountries,
      redirectTo: ({ id }) => (typeof id === "string" ? `${ZONES}/${id}` : SHIPPING),
    },
  },
};

export const zonePage: Page = {
  path: `${ZONES}/{id}`,
  scopes: ["shipping:write"],
  show: async (visit) => {
    const zone = await zoneOf(visit);
    const query = { zone_id: zone.id, limit: "100" };
    const rates = await visit.list(shippingRates.wire, "GET /v2/shipping-rates", { query });
    const own = visit.submitted?.name === "save" ? visit.submitted : null;
    const here = visit.href(`${ZONES}/${zone.id}`);
    const isByCountry = zone.places.every(
      ({ region, postal_prefix }) => region === null && postal_prefix === null,
    );
    return {
      title: zone.name,
      body: html`${heading({ title: zone.name, back: [visit.href(SHIPPING), settings.shipping] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <section>
          <h2>${settings.rates}</h2>
          ${rates.data.every(({ active }) => !active) && unpricedPart(visit, zone)}
          <ul class="rows">
            ${rates.data.map((rate) => rateRow(visit, rate))}
          </ul>
          ${newRatePart(visit, zone)}
        </section>
        <section>
          <h2>${settings.zone}</h2>
          <form class="stack form" method="post" action="${here}/save">
            ${versionField(own, zone.version)}
            ${input(own, { label: settings.zoneName, name: "/name", value: zone.name, isRequired: true })}
            ${isByCountry ? countriesField(visit, zone.places.map(({ country }) => country).join(" ")) : html`<p class="soft">${placesOf(zone)}</p>`}
            <p><button>${en.save}</button></p>
          </form>
        </section>
        <p><a class="button danger" href="${here}/remove">${settings.remove}</a></p>`,
    };
  },
  forms: {
    save: {
      route: "PUT /v2/shipping-zones/{id}",
      doneMessage: "saved",
      prepareBody: withPlaces,
      fieldOf: fieldOfCountries,
      undo: {},
    },
    add: { route: "POST /v2/shipping-rates", doneMessage: "added" },
  },
};

export const removeZonePage = removalPage({
  path: ZONES,
  route: "DELETE /v2/shipping-zones/{id}",
  scope: "shipping:write",
  list: SHIPPING,
  nameOf: async (visit) => (await zoneOf(visit)).name,
});

export const ratePage: Page = {
  path: `${RATES}/{id}`,
  scopes: ["shipping:write"],
  show: async (visit) => {
    const rate = await rateOf(visit);
    const here = visit.href(`${RATES}/${rate.id}`);
    const { submitted } = visit;
    return {
      title: rate.name,
      body: html`${heading({ title: rate.name, back: [visit.href(`${ZONES}/${rate.zone_id}`), settings.zone] })}
        ${doneNote(visit)} ${refusedNote(submitted)}
        <p class="soft">${priceOf(rate)}</p>
        <form class="stack form" method="post" action="${here}/save">
          ${versionField(submitted, rate.version)}
          ${input(submitted, { label: settings.rateName, name: "/name", value: rate.name, isRequired: true })}
          ${amountField(visit, rate)}
          ${checkbox(submitted, { label: settings.enabled, name: "/active", isChecked: rate.active })}
          <p><button class="go">${en.save}</button></p>
        </form>
        <p><a class="button danger" href="${here}/remove">${settings.remove}</a></p>`,
    };
  },
  forms: { save: { route: "PUT /v2/shipping-rates/{id}", doneMessage: "saved", undo: {} } },
};

export const removeRatePage = removalPage({
  path: RATES,
  route: "DELETE /v2/shipping-rates/{id}",
  scope: "shipping:write",
  list: SHIPPING,
  nameOf: async (visit) => (await rateOf(visit)).name,
});

function zoneOf(visit: Visit): Promise<Zone> {
  return visit.ask(shippingZones.wire, "GET /v2/shipping-zones/{id}", { params: visit.params });
}

function rateOf(visit: Visit): Promise<Rate> {
  return visit.ask(shippingRates.wire, "GET /v2/shipping-rates/{id}", { params: visit.params });
}

function countriesField({ submitted }: Visit, value: string): Html {
  const hint = settings.zoneCountriesHint;
  return input(submitted, {
    label: settings.zoneCountries,
    name: COUNTRIES,
    value,
    hint,
    isRequired: true,
  });
}

/** A place for each country that was typed. */
function withPlaces({ places, ...rest }: JsonObject): JsonObject {
  const [typed] = Array.isArray(places) ? places : [];
  if (!isObject(typed)) return rest;
  const country = typed["country"];
  const codes = typeof country === "string" ? country.toUpperCase().split(/[\s,;]+/) : [];
  return {
    ...rest,
    places: codes.filter((code) => code !== "").map((code) => ({ country: code })),
  };
}

function fieldOfCountries(pointer: string): string {
  return pointer.startsWith("/places") ? COUNTRIES : pointer;
}

function rateRow(visit: Visit, rate: Rate): Html {
  return html`<li>
    <a class="row" href="${visit.href(`${RATES}/${rate.id}`)}"
      ><span class="name">${rate.name}</span><span class="sum">${priceOf(rate)}</span
      ><span class="what">${!rate.active && settings.off}</span></a
    >
  </li>`;
}

function newRatePart(visit: Visit, { id }: Zone): Html {
  const own = visit.submitted?.name === "add" ? visit.submitted : null;
  return html`<form class="stack form" method="post" action="${visit.href(`${ZONES}/${id}`)}/add">
    ${nonceField()}
    <input type="hidden" name="/zone_id" value="${id}" />
    <input type="hidden" name="/kind" value="flat" />
    <input type="hidden" name="/tiers/0/from" value="0" />
    <input type="hidden" name="/tiers/0/amounts/0/currency" value="${visit.store.currency}" />
    <div class="pair">
      ${input(own, { label: settings.rateName, name: "/name", isRequired: true })}
      ${amountInput(own, { label: settings.amountIn(visit.store.currency), name: "/tiers/0/amounts/0/amount", writing: visit.writing(), isRequired: true })}
    </div>
    <p><button>${settings.addRate}</button></p>
  </form>`;
}

/** Nothing is sent to a zone without a price; that it costs nothing is a price, too. */
function unpricedPart(visit: Visit, { id, name }: Zone): Html {
  return html`<div class="note">
    <p><strong>${settings.cannotOrderTo(name)}</strong> ${settings.firstPrice}</p>
    <form method="post" action="${visit.href(`${ZONES}/${id}`)}/add">
      ${nonceField()}
      <input type="hidden" name="/zone_id" value="${id}" />
      <input type="hidden" name="/kind" value="flat" />
      <input type="hidden" name="/name" value="${settings.freeRate}" />
      <input type="hidden" name="/tiers/0/from" value="0" />
      <input type="hidden" name="/tiers/0/amounts/0/currency" value="${visit.store.currency}" />
      ${hiddenAmount("/tiers/0/amounts/0/amount", 0, visit.writing())}
      <button>${settings.free}</button>
    </form>
  </div>`;
}

/** The price of a rate that has a single one; others keep theirs. */
function amountField(visit: Visit, { kind, tiers }: Rate): Html | null {
  const [tier] = tiers;
  const [amount] = tier?.amounts ?? [];
  if (kind !== "flat" || amount === undefined || tier?.amounts.length !== 1) return null;
  const { currency, amount_minor: minor } = amount;
  return html`<input type="hidden" name="/tiers/0/from" value="0" />
    <input type="hidden" name="/tiers/0/amounts/0/currency" value="${currency}" />
    ${amountInput(visit.submitted, { label: settings.amountIn(currency), name: "/tiers/0/amounts/0/amount", writing: visit.writing(currency), minor, isRequired: true })}`;
}
