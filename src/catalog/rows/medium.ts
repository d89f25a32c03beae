// Media: refusals and rules. Invariant: the files of a medium are on the disk before its row, and the same bytes are
// one medium.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { defineMembers, defineRefusal, member, type Members } from "#kernel/refusal.ts";

export const mediumNotFound = defineRefusal(
  "medium_not_found",
  "not_found",
  "There is no such medium.",
);
export const imageUnsupported = defineRefusal("image_unsupported", "unsupported", {
  title: "The file is no JPEG, PNG or WebP picture.",
  cause:
    "`Content-Type` is none of `image/jpeg`, `image/png` and `image/webp`, or the bytes are no picture of these formats.",
  remedy:
    "Send the bytes of the file as the body, as `curl --data-binary @mug.jpg` does. Save pictures of other formats, such as HEIC of phones, as JPEG first.",
});
export const imageTooLarge = defineRefusal("image_too_large", "too_large", {
  title: "The picture has more than 50 million pixels.",
  cause: "Width times height is above 50 million. Its file was not decoded.",
  remedy: "Make the picture smaller. Nothing wider than 1,920 pixels is shown in a list of sizes.",
  abuse: "pictures",
});
export const imageDamaged = defineRefusal("image_damaged", "invalid", {
  title: "The picture cannot be decoded.",
  cause:
    "The file begins as a picture, but a part of it is missing or damaged, or decoding it takes more memory or time than a picture of its size does.",
  remedy: "Open the picture in a program, save it anew, and send that file.",
  abuse: "pictures",
});
export const mediumInUse = defineRefusal("medium_in_use", "conflict", {
  title: "Products or collections show this medium.",
  cause:
    "`product_ids` are products with this medium among their `images` or as the `image` of a variant, and `collection_ids` collections with it as their `image`, at most 100 of each. To delete it would take the picture from their pages without a word.",
  remedy: "Give these products and collections other pictures, then delete it.",
  example: { members: { product_ids: ["prod_01jd2k8m3n4p5q6r7s8t9v0w1x"], collection_ids: [] } },
});
export const mediaStoreMissing = defineRefusal("media_store_missing", "conflict", {
  title: "This server has no place for files.",
  cause:
    "The shop is in PostgreSQL, where several programs may serve it, and none of them knows a place for files that all share.",
  remedy:
    "Ask the operator to set `DUKA_MEDIA_S3_ENDPOINT` and the bucket of an object store, or `DUKA_MEDIA_DIR` to a folder that every program of the shop reaches.",
});

const mediumFaults = defineFaults({
  unknown_medium: "There is no such medium.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof mediumFaults> {}
}

const mediumMembers = defineMembers({
  product_ids: member.texts("The products that show the medium, oldest first, at most 100."),
  collection_ids: member.texts("The collections that show the medium, oldest first, at most 100."),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof mediumMembers> {}
}
