// One API key: what it may do, its name, and the two ways in which it ends: another one in its place, or none.

import type { Page } from "#dashboard/kit/page.ts";
import { secret } from "#dashboard/kit/parts/contact.ts";
import { input, nonceField, select } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { momentOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { apiKeyWire } from "#shop/keys/schema.ts";

import { endOf, isInForce, type Key, lastUsedOf, makersOf, mayOf } from "./keys-page.ts";
import { showNewKey } from "./new-key-page.ts";

const { keys } = en;

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
