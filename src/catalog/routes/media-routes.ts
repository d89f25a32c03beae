// The routes of media.

import {
  findMedia,
  findMediumId,
  getMediaUrl,
  getMedium,
  lockMedium,
} from "#catalog/media/lookups.ts";
import type { MediaShop } from "#catalog/media/media-shop.ts";
import {
  deletedMedium,
  mediaQuerySchema,
  mediumBody,
  mediumChangeSchema,
  mediumWire,
} from "#catalog/media/schema.ts";
import { deleteMedium, updateMedium, uploadMedium } from "#catalog/media/upload-medium.ts";
import {
  imageDamaged,
  imageTooLarge,
  imageUnsupported,
  mediaStoreMissing,
  mediumInUse,
  mediumNotFound,
} from "#catalog/rows/medium.ts";
import { staleVersion } from "#kernel/change.ts";
import { mediaStoreUnavailable } from "#platform/files/file-store.ts";
import { pathId } from "#platform/http/contract/path.ts";
import {
  Existing,
  listRoute,
  readRoute,
  type Route,
  workflowRoute,
  writeRoute,
} from "#platform/http/contract/route.ts";
import { receivedFile } from "#platform/http/intake/uploads.ts";

const tag = "Media";
const params = { id: pathId("medium", mediumNotFound) };

export const mediaRoutes: readonly Route<MediaShop>[] = [
  listRoute({
    method: "GET",
    path: "/v2/media",
    operationId: "listMedia",
    tag,
    summary: "List media, newest first",
    scopes: ["products:read"],
    query: mediaQuerySchema,
    response: mediumWire,
    handler: (db, { page, query }) => findMedia(db, { ...page, isUnused: query.unused }),
  }),
  workflowRoute({
    method: "POST",
    path: "/v2/media",
    operationId: "uploadMedia",
    tag,
    summary: "Upload a picture",
    description:
      "The body is the file: JPEG, PNG or WebP, at most 20 MiB and 50 million pixels. Its bytes say which of these it is; of an animated one the first frame is kept. It is turned upright and kept as WebP, in its own size and in those of the widths 160, 320, 640, 960, 1280 and 1920 that are smaller, without metadata such as place and camera. The same bytes are the same medium.",
    scopes: ["products:write"],
    audit: { subject: (db, _, body) => findMediumId(db, body) },
    body: receivedFile,
    file: mediumBody,
    response: mediumWire,
    status: 201,
    location: ({ id }) => `/v2/media/${id}`,
    existing: "These bytes are a medium already.",
    refusals: [
      imageUnsupported,
      imageTooLarge,
      imageDamaged,
      mediaStoreMissing,
      mediaStoreUnavailable,
    ],
    handler: async (shop, { body }) => {
      const { medium, isKnown } = await uploadMedium(shop, body);
      const served = { ...medium, mediaUrl: await getMediaUrl(shop.database.read) };
      return isKnown ? new Existing(served) : served;
    },
  }),
  readRoute({
    method: "GET",
    path: "/v2/media/{id}",
    operationId: "retrieveMedia",
    tag,
    summary: "Retrieve a medium",
    scopes: ["products:read"],
    params,
    response: mediumWire,
    handler: (db, { params: { id } }) => getMedium(db, id),
  }),
  writeRoute({
    method: "PUT",
    path: "/v2/media/{id}",
    operationId: "updateMedia",
    tag,
    summary: "Update the text of a medium",
    description:
      "A product that gets the medium without an `alt` of its own takes this one. Products that show the medium keep theirs.",
    audit: {
      before: async (tx, { id }) => mediumWire.present(await lockMedium(tx, id)),
      keeps: ({ alt }) => ({ alt }),
    },
    scopes: ["products:write"],
    params,
    body: mediumChangeSchema,
    response: mediumWire,
    refusals: [staleVersion],
    handler: (tx, { params: { id }, body: { alt }, ifMatch: expected }) =>
      updateMedium(tx, id, { alt, expected }),
  }),
  workflowRoute({
    method: "DELETE",
    path: "/v2/media/{id}",
    operationId: "deleteMedia",
    tag,
    summary: "Delete a medium with its files",
    description:
      "A medium that products or collections show is not deleted: `product_ids` and `collection_ids` name them.",
    scopes: ["products:write"],
    params,
    response: deletedMedium,
    refusals: [mediumInUse, mediaStoreMissing],
    handler: async (shop, { params: { id } }) => {
      await deleteMedium(shop, id);
      return { id, deleted: true };
    },
  }),
];
