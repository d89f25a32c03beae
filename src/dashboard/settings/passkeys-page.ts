// A person's own passkeys: which there are, adding one, and changing one.

import type { CustomForm } from "#dashboard/kit/forms/form.ts";
import { relyingPartyOf } from "#dashboard/kit/headers.ts";
import { icon } from "#dashboard/kit/icons.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { input } from "#dashboard/kit/parts/field.ts";
import { goLink, heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { nearOf, shortDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { passkeyButton, signInNames } from "#dashboard/sign-in/sign-in-pages.ts";
import { deviceOf } from "#dashboard/sign-in/signed-in.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { addressForPeople } from "#shop/people/credentials/link.ts";
import { addPasskey } from "#shop/people/passkeys/add-passkey.ts";
import { listPasskeysOf, mustAddPasskey } from "#shop/people/passkeys/lookups.ts";
import { type Passkey, passkeyNotFound, passkeyRefused } from "#shop/people/passkeys/passkey.ts";
import { removePasskey, renamePasskey } from "#shop/people/passkeys/remove-passkey.ts";
import type { Person } from "#shop/people/person.ts";

import { writeAs } from "./people-page.ts";

const { passkeys: words, title: me } = en.me;
const LIST = "/me/passkeys";

export const passkeysPage: Page = {
  path: LIST,
  scopes: ["store:read"],
  show: async (visit) => {
    const own = await ownOf(visit);
    const act = goLink(visit.href(`${LIST}/add`), words.add);
    return {
      title: words.title,
      body: html`${heading({ title: words.title, back: [visit.href("/me"), me], act })}
        ${doneNote(visit)}
        <p class="narrow">${words.what}</p>
        <p class="narrow soft">${words.once}</p>
        ${
          own.length === 0
            ? html`<p class="soft">${words.none}</p>`
            : html`<ul class="rows">
                ${own.map((passkey) => rowOf(visit, passkey))}
              </ul>`
        }`,
    };
  },
};

function rowOf(visit: Visit, passkey: Passkey): Html {
  return html`<li>
    <a class="line" href="${visit.href(`${LIST}/${passkey.id}`)}"
      >${namedOf(visit, passkey)}${icon("on")}</a
    >
  </li>`;
}

function namedOf(visit: Visit, passkey: Passkey): Html {
  return html`<span
    ><strong>${passkey.name}</strong>
    <span class="small soft">${factsOf(visit, passkey)}</span></span
  >`;
}

/** The passkeys of another person, for an owner: each opens the dashboard until it is removed. */
export async function passkeysPart(visit: Visit, { id, name }: Person): Promise<Html> {
  const theirs = await listPasskeysOf(visit.people.database.read, id);
  return html`<section>
    <h2>${words.title}</h2>
    ${
      theirs.length === 0
        ? html`<p class="soft">${words.noneOf(name)}</p>`
        : html`<ul class="rows">
              ${theirs.map((passkey) => html`<li class="line">${namedOf(visit, passkey)}</li>`)}
            </ul>
            <p class="soft">${words.removeOf(name)}</p>`
    }
  </section>`;
}

function factsOf({ realWhen }: Visit, { createdAt, usedAt }: Passkey): string {
  const used = usedAt === null ? words.neverUsed : words.used(nearOf(usedAt, realWhen));
  return `${words.added(shortDayOf(createdAt, realWhen))} · ${used}`;
}

export const addPasskeyPage: Page = {
  path: `${LIST}/add`,
  scopes: ["store:read"],
  confirmsFirst: true,
  isForNewPasskey: true,
  show: async (visit) => {
    const isAsked = await mustAddPasskey(visit.people.database.read, visit.visitor);
    return {
      title: words.add,
      body: html`${heading({ title: words.add, back: [visit.href(LIST), words.title] })}
        ${refusedNote(visit.submitted)}
        ${isAsked && html`<div class="note" role="status"><span>${words.asked}</span></div>`}
        <p class="narrow">${words.what}</p>
        ${partyOf(visit) === null ? elsewhere(visit) : addForm(visit)}`,
    };
  },
  forms: {
    save: {
      doneMessage: "added",
      needsConfirmation: true,
      redirectTo: () => LIST,
      handle: async (visit, fields) => {
        const party = partyOf(visit);
        if (party === null) throw passkeyRefused();
        const name = fields.get("/name") ?? "";
        const response = fields.get(signInNames.passkey) ?? "";
        await addPasskey(visit.people, visit.visitor, { name, response, party });
        return {};
      },
    },
  },
};

function addForm(visit: Visit): Html {
  const { submitted, request } = visit;
  return html`<p class="note" data-no-passkeys><span>${words.cannot}</span></p>
    <form class="stack form" method="post" action="${visit.href(`${LIST}/add`)}/save">
      ${input(submitted, { label: words.name, name: "/name", value: deviceOf(request), hint: words.nameHint, isRequired: true })}
      ${passkeyButton({ purpose: "register", field: signInNames.passkey, label: words.make, isOnly: true })}
    </form>`;
}

/** The address of the dashboard at which browsers have passkeys. */
function elsewhere({ dashboardUrl, page }: Visit): Html {
  const address = addressForPeople(dashboardUrl, page);
  if (!address.includes("//localhost")) return html`<p class="note">${words.noHostElse}</p>`;
  return html`<p class="note">
    <span>${words.noHost} <a href="${address}">${new URL(address).host}</a></span>
  </p>`;
}

export const passkeyPage: Page = {
  path: `${LIST}/{id}`,
  scopes: ["store:read"],
  show: async (visit) => {
    const own = await ownOf(visit);
    const passkey = own.find(({ id }) => id === visit.params["id"]);
    if (passkey === undefined) throw passkeyNotFound();
    const here = visit.href(`${LIST}/${passkey.id}`);
    return {
      title: passkey.name,
      body: html`${heading({ title: passkey.name, back: [visit.href(LIST), words.title] })}
        ${refusedNote(visit.submitted)}
        <p class="soft">${factsOf(visit, passkey)}</p>
        <form class="stack form" method="post" action="${here}/rename">
          ${input(visit.submitted, { label: words.name, name: "/name", value: passkey.name, isRequired: true })}
          <p><button class="go">${words.rename}</button></p>
        </form>
        <form class="stack form" method="post" action="${here}/remove">
          <p class="narrow">${words.removeWhat} ${own.length === 1 && words.removeLast}</p>
          <p><button class="danger">${words.remove}</button></p>
        </form>`,
    };
  },
  forms: {
    rename: changing("saved", (visit, id, fields) =>
      writeAs(visit, (tx) =>
        renamePasskey(tx, visit.visitor, { id, name: fields.get("/name") ?? "" }),
      ),
    ),
    remove: changing("removed", (visit, id) =>
      writeAs(visit, (tx) => removePasskey(tx, visit.visitor, id)),
    ),
  },
};

/** A form that changes the passkey of the page, for which its person confirms who they are. */
function changing(
  doneMessage: CustomForm["doneMessage"],
  story: (visit: Visit, id: string, fields: URLSearchParams) => Promise<void>,
): CustomForm {
  return {
    doneMessage,
    needsConfirmation: true,
    redirectTo: () => LIST,
    handle: async (visit, fields) => {
      await story(visit, visit.params["id"] ?? "", fields);
      return {};
    },
  };
}

function ownOf({ people, visitor }: Visit): Promise<Passkey[]> {
  return listPasskeysOf(people.database.read, visitor.person.id);
}

function partyOf({ request, dashboardUrl }: Visit) {
  return relyingPartyOf(request, dashboardUrl);
}
