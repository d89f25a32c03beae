// The picture of a variant: one of its product's, or one that is uploaded.

import { productWire, variantWire } from "#catalog/products/schema.ts";
import { Refused } from "#dashboard/kit/asker.ts";
import type { FilesForm, RequestForm } from "#dashboard/kit/forms/form.ts";
import { memberWhere } from "#dashboard/kit/forms/submitted-form.ts";
import { versionField } from "#dashboard/kit/parts/field.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";
import type { ReceivedFile } from "#platform/http/intake/uploads.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { asGiven, makeMedia, uploadForm } from "./pictures.ts";
import { picture, type Product, type Variant } from "./product-words.ts";

const route = "PUT /v2/products/{id}/variants/{variant_id}";

const chosen: RequestForm = {
  route,
  doneMessage: "saved",
  prepareBody: chosenPicture,
  undo: { readRoute: "GET /v2/products/{id}", part: variantIn },
};

const upload: FilesForm = { takeFiles: setPicture, doneMessage: "saved" };

export const variantPictureForms = { picture: chosen, upload };

export function variantPicturePart(visit: Visit, found: FoundVariant): Html {
  const { goods } = en;
  const { product, variant } = found;
  const pictures = choicesOf(found);
  return html`<section class="narrow">
    <h2>${goods.picture}</h2>
    ${refusedNote(visit.submitted, "upload")}
    ${
      pictures.length > 0 &&
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
        ${pictures.map(
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

// The variant that a page is about.

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
