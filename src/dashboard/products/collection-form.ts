// The fields of a collection, new or there already, and the body that they mean.

import type { Static } from "typebox";

import { collectionWire } from "#catalog/collections/schema.ts";
import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import {
  checkbox,
  choice,
  entries,
  input,
  nonceField,
  select,
  textarea,
} from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { seoFields } from "./product-form.ts";

/** As many as a page of the interface has: the newest ones are offered. */
const PARENTS_SHOWN = "100";

type Rule = NonNullable<Collection["rule"]>;
const emptyRule: Rule = { category: null, tags: [], brand: null, q: null };

export function ruleFields(submitted: SubmittedForm | null, rule: Rule | null): Html {
  const { collections, goods } = en;
  const { category, brand, tags, q } = rule ?? emptyRule;
  return html`<div class="pair">
      ${input(submitted, { name: "/rule/category", label: goods.category, value: category })}
      ${input(submitted, { name: "/rule/brand", label: goods.brand, value: brand })}
    </div>
    ${entries({ name: "/rule/tags", submitted }, [collections.tags, tags], (name, value, index) => input(submitted, { name, value, label: goods.tag(index + 1) }))}
    ${input(submitted, { name: "/rule/q", label: collections.words, value: q, hint: collections.wordsHint })}`;
}

/** The fields of a collection besides its title and its rule, folded until something is wrong with it. */
export async function furtherFields(
  visit: Visit,
  submitted: SubmittedForm | null,
  collection: Collection,
): Promise<Html> {
  const { collections, goods } = en;
  const { image, seo, sort, rule, slug, parent_id: parent } = collection;
  const orders = Object.entries(collections.sorts)
    .filter(([value]) => rule === null || value !== "position")
    .map(([value, label]) => ({ value, label }));
  return html`${select(submitted, { name: "/sort", label: collections.sort, value: sort, options: orders })}
    ${checkbox(submitted, { name: "/published", label: collections.shown, isChecked: collection.published })}
    <details ${attribute("open", isWrong(submitted, ["/image", "/slug", "/parent_id"]))}>
      <summary>${goods.more}</summary>
      <div class="stack">
        <div class="pair">
          ${input(submitted, { name: "/image/url", label: goods.picture, type: "url", value: image?.url ?? null, hint: goods.pictureHint, placeholder: "https://" })}
          ${input(submitted, { name: "/image/alt", label: collections.pictureWords, value: image?.alt ?? null })}
        </div>
        ${select(submitted, { name: "/parent_id", label: collections.above, value: parent, options: await parentsOf(visit, collection) })}
        ${input(submitted, { name: "/slug", label: collections.slug, value: slug, hint: collections.slugHint })}
      </div>
    </details>
    ${seoFields({ seo }, submitted)}`;
}

export function firstFields(
  submitted: SubmittedForm | null,
  { title, description }: Pick<Collection, "title" | "description">,
  isNew: boolean,
): Html {
  const { collections, goods } = en;
  const isFirst = isNew && submitted === null;
  return html`${input(submitted, { name: "/title", label: collections.name, value: title, isRequired: true, isFirst })}
  ${textarea(submitted, { name: "/description", label: goods.description, value: description })}`;
}

function isWrong(submitted: SubmittedForm | null, places: readonly string[]): boolean {
  const faults = submitted?.faults ?? [];
  return faults.some(({ field }) => places.some((place) => field.startsWith(place)));
}

async function parentsOf(visit: Visit, { id, parent_id }: Collection) {
  const query = { limit: PARENTS_SHOWN };
  const { data } = await visit.list(collectionWire, "GET /v2/collections", { query });
  const others = data.filter((one) => one.id !== id);
  const isKnown = parent_id === null || others.some((one) => one.id === parent_id);
  const own = isKnown ? [] : [{ value: parent_id, label: parent_id }];
  return [
    { value: "", label: en.collections.nothingAbove },
    ...own,
    ...others.map((one) => ({ value: one.id, label: one.title })),
  ];
}

/** The body of a new collection: of the rule and the picking, what was chosen. */
function newCollectionBody({ kind, rule = {}, ...body }: JsonObject): JsonObject {
  return { ...body, rule: kind === "picked" ? null : rule };
}

/** A picture whose address was emptied is none. */
export function collectionChange(body: JsonObject): JsonObject {
  const { image } = body;
  if (!isObject(image) || "url" in image) return body;
  return { ...body, image: null };
}

// A new collection: its title, and whether a rule finds its products or they are picked by hand.

const LIST = "/products/collections";

export const newCollectionPage: Page = {
  path: `${LIST}/new`,
  scopes: ["products:write"],
  show: async (visit) => {
    const { collections } = en;
    const { submitted } = visit;
    const chosen = submitted?.value("/kind") ?? "picked";
    return {
      title: collections.newCollection,
      body: html`${refusedNote(submitted)}
        ${heading({ title: collections.newCollection, back: [visit.href(LIST), collections.title] })}
        <form class="stack narrow" method="post" action="${visit.page}/make">
          ${nonceField()} ${firstFields(submitted, { title: "", description: "" }, true)}
          <fieldset class="choices">
            <legend>${collections.how}</legend>
            ${choice({ name: "/kind", value: "picked", chosen, label: collections.byHand, hint: collections.byHandWhat })}
            ${choice({ name: "/kind", value: "rule", chosen, label: collections.byRule, hint: collections.byRuleWhat })}
          </fieldset>
          <details ${attribute("open", chosen === "rule")}>
            <summary>${collections.rule}</summary>
            <div class="stack">
              <p class="hint">${collections.ruleHint}</p>
              ${ruleFields(submitted, null)}
            </div>
          </details>
          <div class="bar"><button class="go">${collections.make}</button></div>
        </form>`,
    };
  },
  forms: {
    make: {
      route: "POST /v2/collections",
      doneMessage: "made",
      prepareBody: newCollectionBody,
      redirectTo: ({ id }) => (typeof id === "string" ? `${LIST}/${id}` : LIST),
    },
  },
};

// A collection as its pages speak of it: what is in it, and whether customers see it.

export type Collection = Static<(typeof collectionWire)["schema"]>;

/** The rule in words, or that the products were picked by hand. */
export function howOf({ rule }: Pick<Collection, "rule">): string {
  const { collections } = en;
  if (rule === null) return collections.picked;
  const { category, brand, tags, q } = rule;
  const parts = [
    category,
    brand,
    tags.length > 0 && tags.join(collections.or),
    q !== null && `“${q}”`,
  ];
  return collections.ruled(parts.filter(Boolean).join(" · "));
}

export function publishedMark({ published }: Pick<Collection, "published">): Html {
  return mark(published ? "done" : "off", en.collections.states[published ? "shown" : "hidden"]);
}
