// The list of collections, and one of them: its products, in their order where they were picked by hand, and what is
// said of it.

import { collectionWire } from "#catalog/collections/schema.ts";
import type { FilesForm } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { versionField } from "#dashboard/kit/parts/field.ts";
import { goLink, heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { ReceivedFile } from "#platform/http/intake/uploads.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import {
  type Collection,
  collectionChange,
  firstFields,
  furtherFields,
  howOf,
  publishedMark,
  ruleFields,
} from "./collection-form.ts";
import { membersPart, moveMember, placeOf } from "./collection-members.ts";
import { makeMedia, uploadForm } from "./pictures.ts";
import { picture } from "./product-words.ts";

// The picture of a collection, uploaded. Its words, and an address elsewhere, are fields of the collection.

/** Gives the collection this picture in place of the one that it had. */
const pictureForm: FilesForm = { takeFiles: setPicture, doneMessage: "saved" };

function picturePart(visit: Visit, { image }: Collection): Html {
  const { goods } = en;
  return html`<section>
    <h2>${goods.picture}</h2>
    ${refusedNote(visit.submitted, "upload")} ${image !== null && picture(visit, image, "20rem")}
    ${uploadForm(visit, en.collections.upload, false)}
  </section>`;
}

async function setPicture(visit: Visit, files: readonly ReceivedFile[]): Promise<JsonObject> {
  const params = { id: visit.params["id"] ?? "" };
  const [medium] = await makeMedia(visit, files);
  if (medium === undefined) return {};
  await visit.ask(collectionWire, "PUT /v2/collections/{id}", {
    params,
    body: { image: { media_id: medium.id } },
  });
  return {};
}

const LIST = "/products/collections";
const member = "/v2/collections/{id}/products/{product_id}";

export const collectionPage: Page = {
  path: `${LIST}/{id}`,
  scopes: ["products:read"],
  show: async (visit) => {
    const { collections } = en;
    const collection = await findCollection(visit);
    const mayWrite = visit.may("products:write");
    return {
      title: collection.title,
      follows: collection.id,
      body: html`${heading({ title: collection.title, back: [visit.href(LIST), collections.title], act: publishedMark(collection) })}
        ${doneNote(visit)} ${refusedNote(visit.submitted)}
        <div class="two">
          <div class="stack">${await membersPart(visit, collection)}</div>
          <div class="stack">
            ${mayWrite && picturePart(visit, collection)}
            ${mayWrite ? await changeForm(visit, collection) : html`<p dir="auto">${collection.description}</p>`}
            ${mayWrite && html`<p class="noprint"><a class="danger tap" href="${visit.page}/delete">${collections.remove}</a></p>`}
          </div>
        </div>`,
    };
  },
  forms: {
    save: {
      route: "PUT /v2/collections/{id}",
      doneMessage: "saved",
      prepareBody: collectionChange,
      undo: {},
    },
    upload: pictureForm,
    add: { route: `PUT ${member}`, doneMessage: "added", redirectTo: sameList },
    take: { route: `DELETE ${member}`, doneMessage: "removed", redirectTo: sameList },
    move: { handle: moveMember, doneMessage: "changed", redirectTo: sameList },
  },
};

export const deleteCollectionPage: Page = {
  path: `${LIST}/{id}/delete`,
  scopes: ["products:write"],
  show: async (visit) => {
    const { collections, goods } = en;
    const { id, title, version } = await findCollection(visit);
    const here = visit.href(`${LIST}/${id}`);
    return {
      title: collections.removeTitle(title),
      body: html`${refusedNote(visit.submitted)}
        ${heading({ title: collections.removeTitle(title), back: [here, title] })}
        <section class="narrow">
          <p>${collections.removeWhat}</p>
          <form class="acts" method="post" action="${visit.page}/go">
            <input type="hidden" name="version" value="${version}" />
            <button class="danger">${collections.removeGo}</button>
            <a class="button quiet" href="${here}">${goods.keep}</a>
          </form>
        </section>`,
    };
  },
  forms: {
    go: {
      route: "DELETE /v2/collections/{id}",
      doneMessage: "removed",
      redirectTo: () => LIST,
    },
  },
};

/** The same part of the list, and what was searched for. */
function sameList(_answer: JsonObject, visit: Visit): string {
  return `${LIST}/${visit.params["id"] ?? ""}${placeOf(visit)}`;
}

function findCollection(visit: Visit): Promise<Collection> {
  const { params } = visit;
  return visit.ask(collectionWire, "GET /v2/collections/{id}", { params });
}

async function changeForm(visit: Visit, collection: Collection): Promise<Html> {
  const { collections, goods } = en;
  const submitted = visit.submitted?.name === "save" ? visit.submitted : null;
  return html`<form class="stack" method="post" action="${visit.page}/save">
    <h2>${goods.about}</h2>
    ${versionField(submitted, collection.version)} ${firstFields(submitted, collection, false)}
    ${
      collection.rule !== null &&
      html`<fieldset class="stack">
        <legend>${collections.rule}</legend>
        <p class="hint">${collections.ruleHint}</p>
        ${ruleFields(submitted, collection.rule)}
      </fieldset>`
    }
    ${await furtherFields(visit, submitted, collection)}
    <p class="acts"><button class="go">${goods.save}</button></p>
  </form>`;
}

// The list of collections: how the shop groups its products for customers, and for discounts.

const ROWS = "50";

export const collectionsPage: Page = {
  path: "/products/collections",
  scopes: ["products:read"],
  show: async (visit) => {
    const { collections } = en;
    const cursor = visit.query("cursor");
    const query = { limit: ROWS, ...(cursor === "" ? {} : { cursor }) };
    const listed = await visit.list(collectionWire, "GET /v2/collections", { query });
    const isEmpty = listed.data.length === 0;
    const add =
      visit.may("products:write") &&
      goLink(visit.href("/products/collections/new"), collections.newCollection);
    return {
      title: collections.title,
      body: html`${heading({ title: collections.title, back: [visit.href("/products"), en.nav.products], act: !isEmpty && add })}
      ${doneNote(visit)}
      ${
        isEmpty
          ? emptyList(collections.none, collections.noneWhat, add)
          : html`<div class="list">
              <ul class="rows">
                ${listed.data.map((one) => rowOf(visit, one))}
              </ul>
            </div>`
      }
      ${olderLink(visit, listed)}`,
    };
  },
};

function rowOf(visit: Visit, collection: Collection): Html {
  const { id, title } = collection;
  return html`<li id="${id}">
    <a class="row" href="${visit.href(`/products/collections/${id}`)}"
      ><span class="name" dir="auto">${title}</span
      ><span class="what" dir="auto">${howOf(collection)}</span
      ><span class="sum small">${publishedMark(collection)}</span></a
    >
  </li>`;
}
