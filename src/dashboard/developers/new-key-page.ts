// A new API key: what it may do, until when, how often. Its text is in the answer to the form and on no other page.

import type { Static } from "typebox";

import type { PageContent } from "#dashboard/kit/forms/form.ts";
import { instantOfDay } from "#dashboard/kit/forms/typed-values.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { secret } from "#dashboard/kit/parts/contact.ts";
import { choice, idOf, input, nonceField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { assume } from "#kernel/assume.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";
import type { createdKeyWire } from "#shop/keys/schema.ts";
import { scopes } from "#shop/keys/scopes.ts";

import { actWordOf, mayOf, nounOf } from "./keys-page.ts";

type CreatedKey = Static<(typeof createdKeyWire)["schema"]>;

const { keys } = en;
/** The field in which the form says which preset is meant; the ticks of single scopes come after it. */
const PRESET = "/scopes/0";
const presets = ["storefront", "read_only", "full"] as const;

export const newKeyPage: Page = {
  path: "/keys/new",
  scopes: ["keys:write"],
  confirmsFirst: true,
  show: async (visit) => ({
    title: keys.add,
    body: html`${heading({ title: keys.add, back: [visit.href("/keys"), keys.back] })}
      ${refusedNote(visit.submitted)}
      <form class="stack form" method="post" action="${visit.href("/keys/new")}/make">
        ${nonceField()}
        ${input(visit.submitted, { label: keys.name, name: "/name", hint: keys.nameHint, isRequired: true, isFirst: visit.submitted === null })}
        ${kindPart(visit)} ${scopesPart(visit)}
        <div class="pair">
          ${input(visit.submitted, { label: keys.expires, name: "/expires_at", type: "date", hint: keys.expiresHint })}
          ${input(visit.submitted, { label: keys.rate, name: "/rate_per_minute", digits: "numeric", hint: keys.rateHint })}
        </div>
        <p><button class="go">${keys.make}</button></p>
      </form>`,
  }),
  forms: {
    make: {
      route: "POST /v2/keys",
      doneMessage: "made",
      needsConfirmation: true,
      prepareBody: (body, visit) => completed(body, visit),
      showAnswer: showNewKey,
    },
  },
};

/** The answer with the key's text. */
export function showNewKey(visit: Visit, answer: JsonValue): PageContent {
  // The cast holds: both routes that make a key answer this shape.
  const { key, name, kind, scopes: granted } = assume<CreatedKey>(answer);
  return {
    title: keys.title,
    isSecret: true,
    body: html`${heading({ title: keys.title, back: [visit.href("/keys"), keys.back] })}
      <section class="sheet" role="status">
        <h2>${keys.shown[kind](name)}</h2>
        ${secret("key", key)}
        <p class="small soft">${mayOf(granted)}. ${keys.shownWhat[kind]}</p>
      </section>
      <p><a class="button" href="${visit.href("/keys")}">${keys.toKeys}</a></p>`,
  };
}

/** The day becomes its end. A secret key without a choice may do nothing, and never all. */
function completed(body: JsonObject, { store }: Visit): JsonObject {
  const { expires_at: day, scopes: chosen, ...rest } = body;
  const isPublishable = body["kind"] === "publishable";
  return {
    ...rest,
    ...(day === undefined ? {} : { expires_at: instantOfDay(day, store.timezone, 1) }),
    ...(chosen === undefined && isPublishable ? {} : { scopes: withoutTicks(chosen ?? []) }),
  };
}

/** A preset is meant as it is: the ticks belong to the last choice. */
function withoutTicks(chosen: JsonValue): JsonValue {
  if (!Array.isArray(chosen)) return chosen;
  const preset = chosen.find((one) => presets.some((name) => name === one));
  return preset === undefined ? chosen : [preset];
}

function kindPart({ submitted }: Visit): Html {
  const chosen = submitted?.value("/kind") ?? "secret";
  const options = (["secret", "publishable"] as const).map((value) =>
    choice({ name: "/kind", value, chosen, label: keys.kinds[value], hint: keys.kindHints[value] }),
  );
  return html`<fieldset class="choices" id="${idOf("/kind")}">
    <legend>${keys.kind}</legend>
    ${options} ${faultOf(submitted?.faultOf("/kind"))}
  </fieldset>`;
}

function scopesPart({ submitted }: Visit): Html {
  const chosen = submitted?.value(PRESET) ?? null;
  const options = presets.map((value) =>
    choice({
      name: PRESET,
      value,
      chosen,
      label: keys.presets[value],
      hint: keys.presetHints[value],
    }),
  );
  const byNoun = Map.groupBy(
    scopes.map((scope, index) => ({ scope, name: `/scopes/${index + 1}` })),
    ({ scope }) => nounOf(scope),
  );
  const nouns: Readonly<Record<string, string>> = keys.nouns;
  return html`<fieldset class="choices" id="${idOf("/scopes")}">
    <legend>${keys.may}</legend>
    ${options} ${choice({ name: PRESET, value: "", chosen, label: keys.ticked })}
    <details ${attribute("open", chosen === "")}>
      <summary>${keys.tickedOpen}</summary>
      <div class="ticks">
        ${[...byNoun].map(
          ([noun, of]) =>
            html`<div role="group" aria-label="${nouns[noun] ?? noun}">
              <span>${nouns[noun] ?? noun}</span>
              ${of.map(
                ({ scope, name }) =>
                  html`<label class="tick"
                    ><input
                      type="checkbox"
                      name="${name}"
                      value="${scope}"
                      ${attribute("checked", submitted?.value(name) !== undefined)}
                    />
                    <span>${actWordOf(scope)}</span></label
                  >`,
              )}
            </div>`,
        )}
      </div>
    </details>
    ${faultOf(submitted?.faultOf("/scopes") === undefined ? undefined : keys.noScopes)}
  </fieldset>`;
}

function faultOf(fault: string | undefined): Html | null {
  return fault === undefined ? null : html`<p class="fault">${fault}</p>`;
}
