// `/media/…`: the files of media, for everybody. What has a name never changes.

import { mediumOfFile } from "#catalog/media/image.ts";
import { isUnavailable } from "#kernel/refusal.ts";
import { CLOSED_POLICY } from "#platform/html/content-policy.ts";
import { isUnchanged } from "#platform/http/answer.ts";
import { type RouteContext, type Router, unlisted } from "#platform/http/router.ts";

import { mediaPath } from "./media-path.ts";
import type { MediaShop } from "./media-shop.ts";

const ALLOW = "GET, HEAD, OPTIONS";
const TEXT = { "Content-Type": "text/plain; charset=utf-8" };
const RETRY_SECONDS = "5";
/** A year, the longest that caches are asked for. */
const CACHE = "public, max-age=31536000, immutable";

/** Adds the files of these shops. `onFault` is told of a store that is away. */
export function mountMedia(
  app: Router,
  shops: readonly MediaShop[],
  onFault: (error: unknown) => void,
): void {
  for (const shop of shops) {
    const reply = async (context: RouteContext) => {
      try {
        return await answer(shop, context);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        onFault(error);
        return new Response("The store of the pictures does not answer.\n", {
          status: 503,
          headers: { ...TEXT, "Retry-After": RETRY_SECONDS },
        });
      }
    };
    app.all(`${mediaPath(shop.mode)}/:folder/:name`, reply, unlisted);
  }
}

function answer(shop: MediaShop, { request, params }: RouteContext): Promise<Response> | Response {
  if (request.method === "OPTIONS")
    return new Response(null, { status: 204, headers: { Allow: ALLOW } });
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response("This address is read with GET.\n", {
      status: 405,
      headers: { ...TEXT, Allow: ALLOW },
    });
  }
  return sendFile(shop, request, `${params["folder"] ?? ""}/${params["name"] ?? ""}`);
}

async function sendFile(
  { media: { files } }: MediaShop,
  request: Request,
  name: string,
): Promise<Response> {
  const tag = `"${name.slice(name.indexOf("/") + 1, -".webp".length)}"`;
  const headers = {
    "Cache-Control": CACHE,
    ETag: tag,
    "Content-Security-Policy": CLOSED_POLICY,
    // Pages of every origin show them, and may draw them on a canvas.
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  const isMedium = files !== null && mediumOfFile(name) !== null;
  if (isMedium && isUnchanged(request.headers.get("if-none-match"), tag)) {
    // What a bucket has is not downloaded for a browser that has it.
    const isThere = (await files.sizeOf(name)) !== null;
    return isThere ? new Response(null, { status: 304, headers }) : noFile();
  }
  const file = isMedium ? await files.find(name) : null;
  if (file === null) return noFile();
  return new Response(file, { headers: { ...headers, "Content-Type": "image/webp" } });
}

function noFile(): Response {
  return new Response("There is no such file.\n", { status: 404, headers: TEXT });
}
