// Receives the notices of gateways: `POST /hooks/{mode}/{gateway}`. Without API key or rate limit: the
// signature over the exact bytes authenticates the sender, and the reply is a bare status.

import type { Mode } from "#platform/database/shop.ts";
import { type Bodies, unreadReply } from "#platform/http/intake/bodies.ts";
import { type RouteContext, type Router, unlisted } from "#platform/http/router.ts";

import type { ReceivedNotice } from "./receive-notice.ts";

/** What a notice may be: far more than any gateway sends, within a time that all of them keep. */
const NOTICE = { audience: "keyless", bytesMax: 1_048_576, withinMs: 10_000 } as const;

export interface NoticeTerms {
  readonly bodies: Bodies;
  /** Whether the mode has this gateway. */
  readonly hasGateway: (mode: Mode, gateway: string) => boolean;
  /** Receives a notice; false if the gateway did not sign it. */
  readonly take: (mode: Mode, received: ReceivedNotice) => Promise<boolean>;
}

/** Mounts the route. Nothing of a body is read before its gateway is known. */
export function mountNotices(app: Router, terms: NoticeTerms): void {
  app.all(
    "/hooks/:mode/:gateway",
    ({ request, params }) => answer(request, params, terms),
    unlisted,
  );
}

async function answer(
  request: Request,
  { mode, gateway }: RouteContext["params"],
  { bodies, hasGateway, take }: NoticeTerms,
): Promise<Response> {
  if (request.method !== "POST")
    return new Response(null, { status: 405, headers: { Allow: "POST" } });
  if (mode !== "test" && mode !== "live") return new Response(null, { status: 404 });
  // As for a wrong signature: which gateways a shop has is not told.
  if (typeof gateway !== "string" || !hasGateway(mode, gateway)) {
    return new Response(null, { status: 401, headers: { Connection: "close" } });
  }
  const bytes = await bodies.receive(request, NOTICE);
  if (typeof bytes === "string") return new Response(null, unreadReply(bytes));
  const isTaken = await take(mode, { gateway, bytes, headers: request.headers });
  return new Response(null, { status: isTaken ? 200 : 401 });
}
