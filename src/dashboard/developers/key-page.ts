// One API key: a new one, whose text is in the answer to its form and on no other page; what it may do, its name, and
// the two ways in which it ends: another one in its place, or none.

import type { Static } from "typebox";

import { instantOfDay } from "#dashboard/kit/forms/form-body.ts";
import type { PageContent } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { secret } from "#dashboard/kit/parts/contacts.ts";
import { choice, idOf, input, nonceField, select } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { assume } from "#kernel/assume.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";
import { apiKeyWire, type createdKeyWire } from "#shop/keys/schema.ts";
import { scopes } from "#shop/keys/scopes.ts";

import {
  actWordOf,
  endOf,
  isInForce,
  type Key,
  lastUsedOf,
  makersOf,
  mayOf,
  nounOf,
} from "./keys-page.ts";

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
function showNewKey(visit: Visit, answer: JsonValue): PageContent {
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

export const keyPage: Page = {
  path: "/keys/{id}",
  scopes: ["keys:read"],
  show: async (visit) => {
    const key = await keyOf(visit);
    const makerOf = await makersOf(visit, [key]);
    const mayChange = visit.may("keys:write") && isInForce(key, visit.realWhen);
    return {
      title: key.name,
      body: html`${heading({ title: key.name, back: [visit.href("/keys"), keys.back] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        ${key.key !== null && secret("key", key.key)} ${factsOf(visit, key, makerOf(key))}
        <p><a href="${visit.href(`/requests?key=${key.id}`)}">${keys.sent}</a></p>
        ${mayChange && changePart(visit, key)}`,
    };
  },
  forms: { rename: { route: "PUT /v2/keys/{id}", doneMessage: "saved" } },
};

export const rotateKeyPage: Page = {
  path: "/keys/{id}/rotate",
  scopes: ["keys:write"],
  show: async (visit) => {
    const { id, name } = await keyOf(visit);
    const options = Object.entries(keys.overlaps).map(([value, label]) => ({ value, label }));
    return {
      title: keys.rotate,
      body: html`${heading({ title: keys.rotate, back: [visit.href(`/keys/${id}`), name] })}
        ${refusedNote(visit.submitted)}
        <p class="narrow">${keys.rotateWhat(name)}</p>
        <form class="stack form" method="post" action="${visit.page}/sure">
          ${nonceField()}
          ${select(visit.submitted, { label: keys.overlap, name: "/overlap_hours", value: "24", options })}
          <p class="acts">
            <button class="go">${keys.replace}</button>
            <a class="button quiet" href="${visit.href(`/keys/${id}`)}">${en.cancel}</a>
          </p>
        </form>`,
    };
  },
  forms: {
    sure: {
      route: "POST /v2/keys/{id}/rotate",
      doneMessage: "made",
      needsConfirmation: true,
      showAnswer: showNewKey,
    },
  },
};

export const revokeKeyPage: Page = {
  path: "/keys/{id}/revoke",
  scopes: ["keys:write"],
  show: async (visit) => {
    const key = await keyOf(visit);
    const title = keys.revokeTitle(key.name);
    const used = lastUsedOf(key, visit.realWhen);
    const here = visit.href(`/keys/${key.id}`);
    return {
      title,
      body: html`${heading({ title, back: [here, key.name] })} ${refusedNote(visit.submitted)}
        <p class="narrow">
          ${used === null ? keys.revokeUnused : keys.revokeUsed(used)} ${keys.revokeWhat}
        </p>
        <dl class="facts">
          <dt>${keys.text}</dt>
          <dd class="mono">${key.display}</dd>
          <dt>${keys.may}</dt>
          <dd>${mayOf(key.scopes)}</dd>
        </dl>
        <form method="post" action="${visit.page}/sure">
          <p class="acts">
            <button class="danger">${keys.revoke}</button>
            <a class="button quiet" href="${here}">${keys.keep}</a>
          </p>
        </form>`,
    };
  },
  forms: {
    sure: {
      route: "DELETE /v2/keys/{id}",
      doneMessage: "revoked",
      needsConfirmation: true,
      redirectTo: () => "/keys",
    },
  },
};

function keyOf(visit: Visit): Promise<Key> {
  return visit.ask(apiKeyWire, "GET /v2/keys/{id}", { params: visit.params });
}

function factsOf(visit: Visit, key: Key, maker: string): Html {
  const when = visit.realWhen;
  const facts: readonly (readonly [string, string])[] = [
    [keys.text, key.key === null ? key.display : ""],
    [keys.kind, keys.kinds[key.kind]],
    [keys.may, mayOf(key.scopes)],
    [keys.rate, key.rate_per_minute === null ? keys.noRate : String(key.rate_per_minute)],
    [keys.lastUsed, lastUsedOf(key, when) ?? keys.never],
    [keys.made, keys.madeBy(maker, momentOf(key.created_at, when))],
    [keys.end, endOf(key, when) ?? ""],
  ];
  return html`<dl class="facts">
    ${facts.flatMap(([name, value]) =>
      value === ""
        ? []
        : html`<dt>${name}</dt>
            <dd>${value}</dd>`,
    )}
  </dl>`;
}

function changePart(visit: Visit, { id, name }: Key): Html {
  return html`<section>
      <form class="stack form" method="post" action="${visit.href(`/keys/${id}`)}/rename">
        ${nonceField()}
        ${input(visit.submitted, { label: keys.name, name: "/name", value: name, isRequired: true })}
        <p><button>${keys.rename}</button></p>
      </form>
    </section>
    <p class="acts">
      <a class="button" href="${visit.href(`/keys/${id}/rotate`)}">${keys.rotate}</a>
      <a class="button danger" href="${visit.href(`/keys/${id}/revoke`)}">${keys.revoke}</a>
    </p>`;
}
