// The pictures of a product, which are uploaded, put in order, described and removed; and the picture of a variant: one
// of its product's, or one that is uploaded.

import { mediumWire } from "#catalog/media/schema.ts";
import { productWire, variantWire } from "#catalog/products/schema.ts";
import { Refused } from "#dashboard/kit/asker.ts";
import type { FilesForm, RequestForm } from "#dashboard/kit/forms/form.ts";
import { memberWhere } from "#dashboard/kit/forms/submitted-form.ts";
import { input, versionField } from "#dashboard/kit/parts/field.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { isObject } from "#kernel/assume.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import { bodyOfFile } from "#platform/http/intake/receive-file.ts";
import type { ReceivedFile } from "#platform/http/intake/uploads.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

import { picture, type Product, type Variant } from "./product-words.ts";

/** Keeps what is typed about the pictures. The button that was pressed moves its picture forward, or removes it. */
const pictures: RequestForm = {
  route: "PUT /v2/products/{id}",
  doneMessage: "saved",
  prepareBody: picturesChange,
  undo: {},
};

/** Adds the files behind the pictures that the product has. */
const upload: FilesForm = { takeFiles: addPictures, doneMessage: "added" };

export const pictureForms = { pictures, upload };

export function picturesPart(visit: Visit, product: Product): Html {
  const { goods } = en;
  const ofPictures = visit.submitted?.name === "pictures" ? visit.submitted : null;
  const next = product.images.length;
  return html`<section>
    <h2>${goods.pictures}</h2>
    ${refusedNote(visit.submitted, "upload")}
    <form class="stack" method="post" action="${visit.page}/pictures">
      ${versionField(ofPictures, product.version)}
      <input type="hidden" name="/images/" value="[]" />
      <button hidden>${goods.save}</button>
      ${product.images.map((image, index) => {
        const source = image.media_id === null ? "url" : "media_id";
        return html`<div class="shown">
          ${picture(visit, image, "5rem")}
          <div class="stack">
            <input type="hidden" name="/images/${index}/${source}" value="${image[source]}" />
            ${input(ofPictures, { name: `/images/${index}/alt`, label: goods.pictureWords(index + 1), value: image.alt })}
            <div class="acts">
              ${index > 0 && actButton(index, "forward", goods.forward)}
              ${actButton(index, "remove", goods.removePicture)}
            </div>
          </div>
        </div>`;
      })}
      <details ${attribute("open", ofPictures !== null)}>
        <summary>${goods.byAddress}</summary>
        ${input(ofPictures, { name: `/images/${next}/url`, label: goods.picture, type: "url", hint: goods.pictureHint, placeholder: "https://" })}
      </details>
      <button>${goods.savePictures}</button>
    </form>
    ${uploadForm(visit, goods.upload, true)}
  </section>`;
}

/** Sends files to the form `upload` of the page: one, or several at once. */
export function uploadForm(visit: Visit, label: string, isMany: boolean): Html {
  const { goods } = en;
  return html`<form
    class="stack"
    method="post"
    enctype="multipart/form-data"
    action="${visit.page}/upload"
  >
    <div class="field">
      <label for="f-files">${label}</label>
      <input
        id="f-files"
        name="files"
        type="file"
        accept="image/jpeg,image/png,image/webp"
        ${attribute("multiple", isMany)}
        required
        aria-describedby="f-files-hint"
      />
      <p class="hint" id="f-files-hint">${goods.uploadHint}</p>
    </div>
    <button>${goods.uploadGo}</button>
  </form>`;
}

/** Makes media of the files. */
export async function makeMedia(visit: Visit, files: readonly ReceivedFile[]) {
  const made = [];
  for (const file of files) {
    made.push(await visit.ask(mediumWire, "POST /v2/media", { body: bodyOfFile(file) }));
  }
  return made;
}

/** A picture as a request names it. */
function asGiven({ media_id: id, url, alt }: Product["images"][number]) {
  return id === null ? { url, alt } : { media_id: id, alt };
}

function actButton(index: number, act: "forward" | "remove", word: string): Html {
  return html`<button name="/images/${index}/act" value="${act}" aria-label="${word} ${index + 1}">
    ${word}
  </button>`;
}

function picturesChange(body: JsonObject): JsonObject {
  const given: readonly JsonValue[] = Array.isArray(body["images"]) ? body["images"] : [];
  const images: JsonObject[] = [];
  for (const image of given) {
    if (!isObject(image) || !("url" in image || "media_id" in image)) continue;
    const { act, ...kept } = image;
    if (act === "remove") continue;
    images.splice(act === "forward" ? -1 : images.length, 0, kept);
  }
  return { images };
}

async function addPictures(visit: Visit, files: readonly ReceivedFile[]): Promise<JsonObject> {
  const params = { id: visit.params["id"] ?? "" };
  const made = await makeMedia(visit, files);
  const { images, version } = await visit.ask(productWire, "GET /v2/products/{id}", { params });
  const kept = images.map(asGiven);
  const fresh = made.filter(({ id }) => !images.some((image) => image.media_id === id));
  await visit.ask(productWire, "PUT /v2/products/{id}", {
    params,
    body: { images: [...kept, ...fresh.map(({ id }) => ({ media_id: id }))] },
    ifVersion: String(version),
  });
  return {};
}

// The picture of a variant: one of its product's, or one that is uploaded.

const route = "PUT /v2/products/{id}/variants/{variant_id}";

const chosen: RequestForm = {
  route,
  doneMessage: "saved",
  prepareBody: chosenPicture,
  undo: { readRoute: "GET /v2/products/{id}", part: variantIn },
};

const uploadVariantPicture: FilesForm = { takeFiles: setPicture, doneMessage: "saved" };

export const variantPictureForms = { picture: chosen, upload: uploadVariantPicture };

export function variantPicturePart(visit: Visit, found: FoundVariant): Html {
  const { goods } = en;
  const { product, variant } = found;
  const choices = choicesOf(found);
  return html`<section class="narrow">
    <h2>${goods.picture}</h2>
    ${refusedNote(visit.submitted, "upload")}
    ${
      choices.length > 0 &&
      html`<form class="stack" method="post" action="${visit.page}/picture">
        ${versionField(null, product.version)}
        <label class="tick"
          ><input
            type="radio"
            name="/picture"
            value=""
            ${attribute("checked", variant.image === null)}
          />
          <span>${goods.ownPictureNone}</span></label
        >
        ${choices.map(
          (image, index) =>
            html`<label class="tick"
              ><input
                type="radio"
                name="/picture"
                value="${index}"
                ${attribute("checked", image.url === variant.image?.url)}
              />
              ${picture(visit, image, "3.5rem")}
              <span dir="auto">${image.alt || goods.pictureNumber(index + 1)}</span></label
            >`,
        )}
        <button>${goods.savePicture}</button>
      </form>`
    }
    ${uploadForm(visit, goods.uploadOne, false)}
  </section>`;
}

/** The pictures of the product, and that of the variant if it is another one. */
function choicesOf({ product: { images }, variant: { image } }: FoundVariant) {
  const isOther = image !== null && images.every(({ url }) => url !== image.url);
  return isOther ? [...images, image] : images;
}

/** The version of the form keeps the numbers of the pictures what they were. */
async function chosenPicture({ picture: number }: JsonObject, visit: Visit): Promise<JsonObject> {
  const image = choicesOf(await findVariant(visit))[Number(number)];
  return { image: image === undefined ? null : asGiven(image) };
}

async function setPicture(visit: Visit, files: readonly ReceivedFile[]): Promise<JsonObject> {
  const [medium] = await makeMedia(visit, files);
  if (medium === undefined) return {};
  const params = { id: visit.params["id"] ?? "", variant_id: visit.params["variant_id"] ?? "" };
  await visit.ask(variantWire, route, { params, body: { image: { media_id: medium.id } } });
  return {};
}

export interface FoundVariant {
  readonly product: Product;
  readonly variant: Variant;
}

/** The variant of the page's address, as the interface shows it in its product. */
export function variantIn({ variants }: JsonObject, { params }: Visit): JsonObject | null {
  return memberWhere(variants, ({ id }) => id === params["variant_id"]);
}

/** The variant of the page with its product. Refuses as the interface does. */
export async function findVariant(visit: Visit): Promise<FoundVariant> {
  const params = { id: visit.params["id"] ?? "", variant_id: visit.params["variant_id"] ?? "" };
  const product = await visit.ask(productWire, "GET /v2/products/{id}", {
    params: { id: params.id },
  });
  const variant = product.variants.find(({ id }) => id === params.variant_id);
  if (variant !== undefined) return { product, variant };
  // The interface says why there is none.
  throw new Refused(await visit.send("GET /v2/products/{id}/variants/{variant_id}", { params }));
}
