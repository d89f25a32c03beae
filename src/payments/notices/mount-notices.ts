// Receives the notices of gateways: `POST /hooks/{mode}/{gateway}`. Without API key or rate limit: the
// signature over the exact bytes authenticates the sender, and the reply is a bare status.

import type { Mode } from "#platform/database/shop.ts";
import { type Router, unlisted } from "#platform/http/router.ts";

import type { ReceivedNotice } from "./receive-notice.ts";

const BYTES_MAX = 1_048_576;

/** Receives a notice; false if no gateway of this mode signed it. */
export type TakeNotice = (mode: Mode, received: ReceivedNotice) => Promise<boolean>;

/** Mounts the route. */
export function mountNotices(app: Router, take: TakeNotice): void {
  app.all(
    "/hooks/:mode/:gateway",
    ({ request, params }) => answer(request, params, take),
    unlisted,
  );
}

async function answer(
  request: Request,
  { mode, gateway }: Readonly<Record<string, string | null | undefined>>,
  take: TakeNotice,
): Promise<Response> {
  if (request.method !== "POST")
    return new Response(null, { status: 405, headers: { Allow: "POST" } });
  if (mode !== "test" && mode !== "live") return new Response(null, { status: 404 });
  if (Number(request.headers.get("content-length")) > BYTES_MAX) {
    return new Response(null, { status: 413 });
  }
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (bytes.length > BYTES_MAX) return new Response(null, { status: 413 });
  const isTaken = await take(mode, { gateway: gateway ?? "", bytes, headers: request.headers });
  return new Response(null, { status: isTaken ? 200 : 401 });
}
