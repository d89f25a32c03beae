// The answer to a request for a host that the server does not answer to: a page for a browser, and a problem document for
// what calls the interface or brings a notice.

import { htmlDocument, pagePolicy, READING_STYLE } from "#platform/html/html-document.ts";
import { html } from "#platform/html/html.ts";
import { problem } from "#platform/http/contract/answer.ts";
import { wrongHost } from "#platform/http/contract/refusals.ts";
import { isInterface } from "#platform/http/router.ts";

import { requestIdOf } from "./request-head.ts";
import { toResponse } from "./response.ts";

/** Says how the host becomes one of the server's. The request has a valid Host. */
export function answerWrongHost(request: Request, publicUrl: string): Response {
  const host = request.headers.get("host") ?? "";
  const setting = `DUKA_PUBLIC_URL=https://${host}`;
  const { pathname } = new URL(request.url);
  if (isInterface(pathname) || pathname.startsWith("/hooks/")) {
    const requestId = requestIdOf(request);
    const detail = `The server does not answer to the host ${host}. Where a tunnel or a proxy leads here, start it with ${setting}.`;
    const terms = { requestId, isPublic: true, errorsUrl: `${publicUrl}/docs/errors` };
    return toResponse(request, problem(wrongHost({ detail }), terms), {
      "X-Request-Id": requestId,
    });
  }
  const body = html`<main>
    <h1>This server does not answer to ${host}</h1>
    <p>
      It has no public address yet, so it answers on its own machine alone: open
      <a href="${publicUrl}">${publicUrl}</a> there.
    </p>
    <p>If a tunnel or a proxy led you here, start it with <code>${setting}</code></p>
  </main>`;
  return new Response(htmlDocument({ title: "Another address", style: READING_STYLE, body }), {
    status: 421,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": pagePolicy(READING_STYLE),
    },
  });
}
