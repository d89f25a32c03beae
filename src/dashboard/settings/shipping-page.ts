// Shipping: where to, what it costs, and where customers fetch their goods.

import type { Static } from "typebox";

import type { Page } from "#dashboard/kit/page.ts";
import { checkbox, input, nonceField, textarea, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList } from "#dashboard/kit/parts/list.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html, isolated } from "#platform/html/html.ts";
import { pickupLocations } from "#pricing/shipping/pickup-location-schema.ts";
import { shippingRates } from "#pricing/shipping/rate-schema.ts";
import { shippingZones } from "#pricing/shipping/zone-schema.ts";

import { removalPage } from "./lists.ts";

export type Zone = Static<typeof shippingZones.wire.schema>;
export type Rate = Static<typeof shippingRates.wire.schema>;
type Pickup = Static<typeof pickupLocations.wire.schema>;

const { settings } = en;
export const SHIPPING = "/settings/shipping";
const query = { limit: "100" };

export const shippingPage: Page = {
  path: SHIPPING,
  scopes: ["shipping:read"],
  show: async (visit) => {
    const zones = await visit.list(shippingZones.wire, "GET /v2/shipping-zones", { query });
    const rates = await visit.list(shippingRates.wire, "GET /v2/shipping-rates", { query });
    const places = await visit.list(pickupLocations.wire, "GET /v2/pickup-locations", { query });
    const mayAdd = visit.may("shipping:write");
    const ratesOf = (zone: Zone) => rates.data.filter(({ zone_id }) => zone_id === zone.id);
    return {
      title: settings.shipping,
      body: html`${heading({ title: settings.shipping, back: [visit.href("/settings"), settings.title] })}
        ${doneNote(visit)}
        <section>
          <h2>${settings.zones}</h2>
          ${
            zones.data.length === 0
              ? emptyList(settings.noZones, settings.noZonesWhat)
              : html`<ul class="rows">
                  ${zones.data.map((zone) => html`<li>${zoneRow(visit, zone, ratesOf(zone))}</li>`)}
                </ul>`
          }
          ${mayAdd && html`<p><a class="button" href="${visit.href(`${SHIPPING}/zones/new`)}">${settings.newZone}</a></p>`}
        </section>
        <section>
          <h2>${settings.pickup}</h2>
          ${
            places.data.length === 0
              ? html`<p class="soft">${settings.noPickup}</p>`
              : html`<ul class="rows">
                  ${places.data.map((place) => html`<li>${placeRow(visit, place)}</li>`)}
                </ul>`
          }
          ${mayAdd && html`<p><a class="button" href="${visit.href(`${SHIPPING}/pickup/new`)}">${settings.addPickup}</a></p>`}
        </section>`,
    };
  },
};

/** The countries and regions of a zone: `GH, TG Maritime`. */
export function placesOf({ places }: Zone): string {
  return places
    .map(({ country, region, postal_prefix }) =>
      [country === "*" ? settings.elsewhere : country, region, postal_prefix]
        .filter((part) => part !== null)
        .join(" "),
    )
    .join(", ");
}

/** The price of a rate: the amount of one that has a single one, else what it depends on. */
export function priceOf({ kind, tiers }: Rate): string {
  const [tier] = tiers;
  const [amount] = tier?.amounts ?? [];
  if (kind !== "flat" || amount === undefined || tier?.amounts.length !== 1) {
    return settings.rateKinds[kind];
  }
  return textOfMoney(amount.amount_minor, amount.currency);
}

function zoneRow(visit: Visit, zone: Zone, rates: readonly Rate[]): Html {
  const prices = rates.map((rate) => `${isolated(rate.name)} ${priceOf(rate)}`).join(", ");
  return rowOf(visit, `${SHIPPING}/zones/${zone.id}`, {
    name: zone.name,
    what: rates.some(({ active }) => active) ? prices : settings.cannotOrderTo(isolated(zone.name)),
    sum: placesOf(zone),
  });
}

function placeRow(visit: Visit, { id, name, address, active }: Pickup): Html {
  const lines = [address.line1, address.city].filter((line) => line !== null);
  return rowOf(visit, `${SHIPPING}/pickup/${id}`, {
    name,
    what: lines.join(", "),
    sum: active ? mark("done", settings.on) : mark("off", settings.off),
  });
}

function rowOf(
  visit: Visit,
  path: string,
  {
    name,
    what,
    sum,
  }: { readonly name: string; readonly what: string; readonly sum: string | Html },
): Html {
  const row = html`<span class="name">${name}</span><span class="what">${what}</span
    ><span class="sum small">${sum}</span>`;
  return visit.may("shipping:write")
    ? html`<a class="row" href="${visit.href(path)}">${row}</a>`
    : html`<div class="row">${row}</div>`;
}

// The places at which customers fetch their goods.

const PICKUP = `${SHIPPING}/pickup`;

export const newPickupPage: Page = {
  path: `${PICKUP}/new`,
  scopes: ["shipping:write"],
  show: async (visit) => ({
    title: settings.addPickup,
    body: html`${heading({ title: settings.addPickup, back: [visit.href(SHIPPING), settings.shipping] })}
      ${refusedNote(visit.submitted)}
      <form class="stack form" method="post" action="${visit.href(`${PICKUP}/new`)}/make">
        ${nonceField()} ${fieldsOf(visit, null)}
        <p><button class="go">${settings.addPickup}</button></p>
      </form>`,
  }),
  forms: {
    make: { route: "POST /v2/pickup-locations", doneMessage: "added", redirectTo: () => SHIPPING },
  },
};

export const pickupPage: Page = {
  path: `${PICKUP}/{id}`,
  scopes: ["shipping:write"],
  show: async (visit) => {
    const place = await placeOf(visit);
    const here = visit.href(`${PICKUP}/${place.id}`);
    return {
      title: place.name,
      body: html`${heading({ title: place.name, back: [visit.href(SHIPPING), settings.shipping] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <form class="stack form" method="post" action="${here}/save">
          ${versionField(visit.submitted, place.version)} ${fieldsOf(visit, place)}
          ${checkbox(visit.submitted, { label: settings.enabled, name: "/active", isChecked: place.active })}
          <p><button class="go">${en.save}</button></p>
        </form>
        <p><a class="button danger" href="${here}/remove">${settings.remove}</a></p>`,
    };
  },
  forms: { save: { route: "PUT /v2/pickup-locations/{id}", doneMessage: "saved", undo: {} } },
};

export const removePickupPage = removalPage({
  path: PICKUP,
  route: "DELETE /v2/pickup-locations/{id}",
  scope: "shipping:write",
  list: SHIPPING,
  nameOf: async (visit) => (await placeOf(visit)).name,
});

function placeOf(visit: Visit): Promise<Pickup> {
  return visit.ask(pickupLocations.wire, "GET /v2/pickup-locations/{id}", { params: visit.params });
}

/** An address is replaced as a whole: what the form does not show goes with it unseen. */
function fieldsOf({ submitted, store }: Visit, place: Pickup | null): Html {
  const { line1, city, country, ...unseen } = place?.address ?? {};
  return html`${input(submitted, { label: settings.rateName, name: "/name", value: place?.name ?? null, isRequired: true })}
    ${input(submitted, { label: settings.street, name: "/address/line1", value: line1 ?? null })}
    <div class="pair">
      ${input(submitted, { label: settings.city, name: "/address/city", value: city ?? null })}
      ${input(submitted, { label: settings.country, name: "/address/country", value: country ?? store.country, hint: settings.countryCode })}
    </div>
    ${Object.entries(unseen).map(([name, value]) => html`<input type="hidden" name="/address/${name}" value="${value ?? ""}" />`)}
    ${textarea(submitted, { label: settings.instructions, name: "/instructions", value: place?.instructions ?? null, hint: settings.pickupHint })}`;
}
