// The picture of a collection, uploaded. Its words, and an address elsewhere, are fields of the collection.

import { collectionWire } from "#catalog/collections/schema.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { ReceivedFile } from "#platform/http/intake/uploads.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";

import type { FilesForm } from "../forms/form.ts";
import { refusedNote } from "../parts/note.ts";
import { makeMedia, uploadForm } from "../products/pictures.ts";
import { picture } from "../products/product-words.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import type { Collection } from "./collection-words.ts";

/** Gives the collection this picture in place of the one that it had. */
export const pictureForm: FilesForm = { takeFiles: setPicture, doneMessage: "saved" };

export function picturePart(visit: Visit, { image }: Collection): Html {
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
