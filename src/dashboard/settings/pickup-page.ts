// Where customers fetch their goods.

import type { Static } from "typebox";

import { type Html, html } from "#platform/html/html.ts";
import { pickupLocationWire } from "#pricing/shipping/pickup-locations/schema.ts";

import type { Page } from "../page.ts";
import { checkbox, input, nonceField, textarea, versionField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { doneNote, refusedNote } from "../parts/note.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { removalPage } from "./lists.ts";
import { SHIPPING } from "./shipping-page.ts";

type Pickup = Static<(typeof pickupLocationWire)["schema"]>;

const { settings } = en;
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
  return visit.ask(pickupLocationWire, "GET /v2/pickup-locations/{id}", { params: visit.params });
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
