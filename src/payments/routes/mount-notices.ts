// Receives the notices of gateways: `POST` or `PUT /hooks/{mode}/{gateway}`, with a secret token behind it where the
// gateway signs nothing. Without API key or rate limit: the signature over the exact bytes, or the token,
// authenticates the sender, and the reply is a bare status.

import type { NoticeRules } from "#payments/port/notice.ts";
import type { ReceivedNotice, Reception } from "#payments/reconciliation/notices.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { type Bodies, unreadReply } from "#platform/http/intake/bodies.ts";
import { type RouteContext, type Router, unlisted } from "#platform/http/router.ts";

/** The bounds of a notice: far more than any gateway sends, within a time that all of them keep. */
const NOTICE = { audience: "keyless", bytesMax: 1_048_576, withinMs: 10_000 } as const;

export interface NoticeTerms {
  readonly bodies: Bodies;
  /** How notices of this gateway come in, in the mode; null where it has none. */
  readonly rulesOf: (mode: Mode, gateway: string) => NoticeRules | null;
  readonly take: (mode: Mode, received: ReceivedNotice) => Promise<Reception>;
}

/** Mounts the route. Nothing of a body is read before its gateway is known. */
export function mountNotices(app: Router, terms: NoticeTerms): void {
  for (const path of ["/hooks/:mode/:gateway", "/hooks/:mode/:gateway/:token"]) {
    app.all(path, ({ request, params }) => answer(request, params, terms), unlisted);
  }
}

async function answer(
  request: Request,
  { mode: named, gateway, token = null }: RouteContext["params"],
  { bodies, rulesOf, take }: NoticeTerms,
): Promise<Response> {
  const id = gateway ?? "";
  const mode = modes.find((one) => one === named);
  const rules = mode === undefined ? null : rulesOf(mode, id);
  if (mode === undefined || rules === null)
    return new Response(null, { status: 404, headers: { Connection: "close" } });
  const wrongMethod = refuseMethod(request, rules);
  if (wrongMethod !== null) return wrongMethod;
  const bytes = await bodies.receive(request, NOTICE);
  if (typeof bytes === "string") return new Response(null, unreadReply(bytes));
  const { result } = await take(mode, { gateway: id, bytes, headers: request.headers, token });
  return new Response(null, { status: result === "rejected" ? 401 : 200 });
}

function refuseMethod({ method }: Request, rules: NoticeRules): Response | null {
  const allowed: readonly string[] = rules.methods;
  if (allowed.includes(method)) return null;
  return new Response(null, { status: 405, headers: { Allow: allowed.join(", ") } });
}
