// The gateways: a list in the order in which they are asked, and a page each of the shop's own. The password is asked
// first: who changes one sends buyers elsewhere to pay.

import type { Static } from "typebox";

import type { PageContent } from "#dashboard/kit/forms/form.ts";
import { membersOf } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { secret } from "#dashboard/kit/parts/contacts.ts";
import { input, nonceField, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark, methodNamed } from "#dashboard/kit/parts/order-words.ts";
import { refusedPage } from "#dashboard/kit/refused-page.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { gatewaysWire } from "#payments/routes/gateway-schema.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonValue } from "#platform/http/strict-json.ts";
import { WRITE_CONNECTIONS } from "#shop/people/roles.ts";

import { removalPage } from "./lists.ts";

const { settings } = en;
const words = settings.gateways;
const PAYMENTS = "/settings/payments";
export const GATEWAYS = `${PAYMENTS}/gateways`;

type Gateway = Static<typeof gatewaysWire.schema>["gateways"][number];

const standingMarks = { new: "wait", open: "done", retired: "off" } as const;

export const gatewaysPage: Page = {
  path: GATEWAYS,
  scopes: ["store:read"],
  show: async (visit) => {
    const gateways = await gatewaysOf(visit);
    const add = visit.href(`${GATEWAYS}/new`);
    return {
      title: words.title,
      body: html`${heading({ title: words.title, back: [visit.href(PAYMENTS), settings.payments] })}
      ${doneNote(visit)}
      ${
        gateways.length === 0
          ? emptyList(words.none, words.noneWhat)
          : html`<p class="narrow">${words.what}</p>
              <ul class="rows">
                ${gateways.map((gateway) => html`<li>${rowOf(visit, gateway)}</li>`)}
              </ul>`
      }
      ${visit.may(WRITE_CONNECTIONS) && html`<p><a class="button" href="${add}">${words.add}</a></p>`}`,
    };
  },
};

function rowOf(visit: Visit, gateway: Gateway): Html {
  const row = html`<span class="name" dir="auto">${nameOf(gateway)}</span
    ><span class="what">${takesOf(gateway)}</span
    ><span class="sum small">${standingOf(gateway)}</span>`;
  return gateway.kind === "custom" && visit.may(WRITE_CONNECTIONS)
    ? html`<a class="row" href="${visit.href(`${GATEWAYS}/${gateway.id}`)}">${row}</a>`
    : html`<div class="row">${row}</div>`;
}

function nameOf({ label, id }: Gateway): string {
  return label ?? id;
}

function standingOf({ standing }: Gateway): Html {
  return mark(standingMarks[standing], words.stands[standing]);
}

function takesOf({ takes }: Gateway): string {
  if (takes.length === 0) return words.takesNothing;
  return takes
    .map(({ method, currencies }) => `${methodNamed(method)} ${currencies.join(" ")}`)
    .join(" · ");
}

export const newGatewayPage: Page = {
  path: `${GATEWAYS}/new`,
  scopes: [WRITE_CONNECTIONS],
  confirmsFirst: true,
  show: (visit) => {
    const { submitted } = visit;
    return Promise.resolve({
      title: words.add,
      body: html`${heading({ title: words.add, back: [visit.href(GATEWAYS), words.title] })}
        ${refusedNote(submitted)}
        <p class="narrow">${words.addWhat} <a href="/guides/gateways">${words.guide}</a></p>
        <form class="stack form" method="post" action="${visit.href(`${GATEWAYS}/new`)}/make">
          ${nonceField()}
          ${input(submitted, { label: words.id, name: "@id", value: null, hint: words.idHint, isRequired: true })}
          ${urlField(visit, null)}
          <p><button class="go">${words.add}</button></p>
        </form>`,
    });
  },
  forms: {
    make: {
      route: "PUT /v2/gateways/{id}",
      doneMessage: "added",
      needsConfirmation: true,
      showAnswer: showSecret,
    },
  },
};

export const gatewayPage: Page = {
  path: `${GATEWAYS}/{id}`,
  scopes: [WRITE_CONNECTIONS],
  confirmsFirst: true,
  show: async (visit) => {
    const gateway = await ownGatewayOf(visit);
    if (gateway === undefined) return refusedPage(visit, { status: 404, problem: {} });
    return {
      title: nameOf(gateway),
      body: html`${heading({ title: nameOf(gateway), back: [visit.href(GATEWAYS), words.title] })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <p>${standingOf(gateway)} <span class="mono">${gateway.id}</span></p>
        <p>${takesOf(gateway)}</p>
        ${gateway.standing === "new" && html`<p class="narrow">${words.newWhat}</p>`}
        ${gateway.standing === "retired" && html`<p class="narrow">${words.retiredWhat}</p>`}
        ${actsOf(visit, gateway)}
        <form class="stack form" method="post" action="${hereOf(visit, gateway)}/save">
          ${versionField(visit.submitted, gateway.version ?? 0)} ${urlField(visit, gateway.url)}
          <p><button class="go">${en.save}</button></p>
        </form>
        <p class="small soft">${words.rotateWhat}</p>
        <form method="post" action="${hereOf(visit, gateway)}/rotate">
          ${nonceField()}
          <p class="acts">
            <button>${words.rotate}</button>
            <a class="button danger" href="${hereOf(visit, gateway)}/remove">${settings.remove}</a>
          </p>
        </form>`,
    };
  },
  forms: {
    check: {
      route: "POST /v2/gateways/{id}/check",
      doneMessage: "checked",
      needsConfirmation: true,
    },
    save: {
      route: "PUT /v2/gateways/{id}",
      doneMessage: "saved",
      needsConfirmation: true,
    },
    stand: {
      route: "PUT /v2/gateways/{id}",
      doneMessage: "saved",
      needsConfirmation: true,
    },
    rotate: {
      route: "POST /v2/gateways/{id}/rotate-secret",
      doneMessage: "made",
      needsConfirmation: true,
      showAnswer: showSecret,
    },
  },
};

export const removeGatewayPage = removalPage({
  path: GATEWAYS,
  route: "DELETE /v2/gateways/{id}",
  scope: WRITE_CONNECTIONS,
  list: GATEWAYS,
  nameOf: (visit) => Promise.resolve(visit.params["id"] ?? ""),
});

/** A check, and the way out of use or back. */
function actsOf(visit: Visit, gateway: Gateway): Html {
  const isRetired = gateway.standing === "retired";
  const here = hereOf(visit, gateway);
  return html`<div class="bar">
    <form method="post" action="${here}/check">
      ${nonceField()}<button class="go">${words.check}</button>
    </form>
    <form method="post" action="${here}/stand">
      ${versionField(null, gateway.version ?? 0)}
      <input type="hidden" name="/url" value="${gateway.url ?? ""}" />
      <input type="hidden" name="/standing" value="${isRetired ? "open" : "retired"}" />
      <button>${isRetired ? words.takeBack : words.retire}</button>
    </form>
  </div>`;
}

function urlField({ submitted }: Visit, url: string | null): Html {
  return input(submitted, {
    label: words.url,
    name: "/url",
    value: url,
    hint: words.urlHint,
    isRequired: true,
  });
}

/** The answer of a route that may have made a secret, which no other page shows. */
function showSecret(visit: Visit, answer: JsonValue): PageContent {
  const { id, secret: made } = membersOf(answer);
  const title = typeof id === "string" ? id : words.title;
  const next = visit.href(`${GATEWAYS}/${title}`);
  return {
    title,
    isSecret: true,
    body: html`${heading({ title, back: [visit.href(GATEWAYS), words.title] })}
      <section class="sheet" role="status">
        <h2>${typeof made !== "string" ? en.done.saved : words.secret(title)}</h2>
        ${
          typeof made !== "string"
            ? html`<p class="small soft">${words.kept}</p>`
            : html`${secret("secret", made)}
                <p class="small soft">${words.secretWhat}</p>`
        }
      </section>
      <p>
        <a class="button" href="${next}">${typeof made !== "string" ? words.open : words.copied}</a>
      </p>`,
  };
}

function hereOf(visit: Visit, { id }: Gateway): string {
  return visit.href(`${GATEWAYS}/${id}`);
}

async function gatewaysOf(visit: Visit): Promise<readonly Gateway[]> {
  return (await visit.ask(gatewaysWire, "GET /v2/gateways")).gateways;
}

/** The gateway of the page's address; undefined for one of Duka. */
async function ownGatewayOf(visit: Visit): Promise<Gateway | undefined> {
  const found = (await gatewaysOf(visit)).find(({ id }) => id === visit.params["id"]);
  return found?.kind === "custom" ? found : undefined;
}
