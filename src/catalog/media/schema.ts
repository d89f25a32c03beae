// Media and the pictures of products on the wire.

import Type, { type Static } from "typebox";

import {
  type GivenImage,
  type ShownImage,
  type ShownSize,
  sizesOf,
  urlOf,
} from "#catalog/rows/image.ts";
import { imageUnsupported } from "#catalog/rows/medium.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import type { FileBody } from "#platform/http/contract/route.ts";
import { added, at, from, list, shape, wire } from "#platform/http/contract/wire.ts";
import {
  component,
  idOf,
  nullable,
  object,
  optional,
  prose,
  webAddress,
  whole,
} from "#platform/http/contract/words.ts";

import type { ServedMedium } from "./lookups.ts";

const ALT_LENGTH_MAX = 500;
const alt = prose(ALT_LENGTH_MAX, {
  description: "What the picture shows, for people who do not see it.",
});
const placeholder = Type.String({
  description:
    "A blurred picture of some 32 pixels, as a data URL, to show until the file is loaded.",
});
const sizes = list(
  shape<ShownSize>()(publicFields({ width: whole(1), url: webAddress }), { name: "PictureSize" }),
);

/** The response of a medium. */
export const mediumWire = wire<ServedMedium>()("Medium", {
  id: idOf("medium"),
  url: from(({ id, width, mediaUrl }: ServedMedium) => urlOf(id, width, mediaUrl), webAddress),
  width: whole(1),
  height: whole(1),
  alt,
  placeholder,
  sizes: from(
    ({ id, files, mediaUrl }: ServedMedium) =>
      sizesOf({ widths: files.map(({ width }) => width), mediaId: id }, mediaUrl),
    sizes,
  ),
  version: whole(1),
  created_at: at,
  updated_at: at,
});

export const mediaQuerySchema = object({
  unused: optional(
    Type.Boolean({
      description: "True: media that no product and no collection shows. False: the others.",
    }),
  ),
});

export const mediumChangeSchema = object({ alt });

export const deletedMedium = component("DeletedMedium", {
  id: idOf("medium"),
  deleted: Type.Boolean(),
});

/** A picture in the response of a product. */
export const imageShape = shape<ShownImage>()(
  publicFields({
    url: webAddress,
    alt: Type.String(),
    media_id: added(nullable(idOf("medium"))),
    width: added(nullable(whole(1))),
    height: added(nullable(whole(1))),
    placeholder: added(nullable(placeholder)),
    sizes: added(sizes),
  }),
  { name: "Picture" },
);

/** A picture as a request names it: with a `media_id` or a `url`. */
export const imageGiven = component("PictureInput", {
  media_id: optional(idOf("medium")),
  url: optional(Type.String({ ...webAddress, "x-text": "picture" })),
  alt: optional(prose(ALT_LENGTH_MAX)),
});

/** More than a page shows. */
const IMAGES_MAX = 50;

/** The pictures of a product in a request. */
export const imagesGiven = Type.Array(imageGiven, {
  maxItems: IMAGES_MAX,
  description:
    "Each has a `media_id` or a `url`, in the order in which they are shown. With a `media_id`, the `url` is ignored.",
});

/** Reads a picture from a request body. */
export function readImage({
  media_id: mediaId,
  url,
  alt: words,
}: Static<typeof imageGiven>): GivenImage {
  return { mediaId, url, alt: words };
}

/** More than the largest picture of a phone, bytes. */
const FILE_BYTES_MAX = 20 * 1_048_576;

/** The body of an upload. Which format it has is told by the bytes. */
export const mediumBody: FileBody = {
  bytesMax: FILE_BYTES_MAX,
  mediaTypes: ["image/jpeg", "image/png", "image/webp", "application/octet-stream"],
  otherType: imageUnsupported,
};
