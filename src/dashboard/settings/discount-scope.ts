// The collections that a discount is for: chosen while it is made, and told on its page.

import { collectionWire } from "#catalog/collections/schema.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { nullIfGone } from "../asker.ts";
import type { SubmittedForm } from "../forms/submitted-form.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

const { settings } = en;
/** As many as a page of the interface has: the newest ones are offered. */
const OFFERED = "100";

/** A box for each collection; null where the shop has none. Without a tick the discount is for everything. */
export async function collectionTicks(
  visit: Visit,
  submitted: SubmittedForm | null,
): Promise<Html | null> {
  if (!visit.may("products:read")) return null;
  const query = { limit: OFFERED };
  const { data } = await visit.list(collectionWire, "GET /v2/collections", { query });
  if (data.length === 0) return null;
  const ticked = new Set(submitted?.fields.values());
  return html`<details
    ${attribute(
      "open",
      data.some(({ id }) => ticked.has(id)),
    )}
  >
    <summary>${settings.onlyCollections}</summary>
    <fieldset class="choices">
      <legend class="unseen">${settings.onlyCollections}</legend>
      ${data.map(
        ({ id, title }, index) =>
          html`<label class="tick"
            ><input
              type="checkbox"
              name="/scope/collection_ids/${index}"
              value="${id}"
              ${attribute("checked", ticked.has(id))}
            />
            <span dir="auto">${title}</span></label
          >`,
      )}
    </fieldset>
  </details>`;
}

/** The titles of the collections, each with the way to it; null where the discount names none that is there. */
export async function collectionsOf(visit: Visit, ids: readonly string[]): Promise<Html | null> {
  if (!visit.may("products:read")) return null;
  const found = await Promise.all(
    ids.map((id) =>
      visit.ask(collectionWire, "GET /v2/collections/{id}", { params: { id } }).catch(nullIfGone),
    ),
  );
  const there = found.filter((one) => one !== null);
  if (there.length === 0) return null;
  return html`<p>
    ${settings.onCollections}
    ${there.map(
      ({ id, title }, index) =>
        html`${index > 0 && ", "}<a href="${visit.href(`/products/collections/${id}`)}" dir="auto"
            >${title}</a
          >`,
    )}
  </p>`;
}
