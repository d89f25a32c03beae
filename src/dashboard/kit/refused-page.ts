// Pages that say why there is nothing to see, and what to do next.

import type { PageContent } from "#dashboard/kit/forms/form.ts";
import { UnreadForm } from "#dashboard/kit/forms/submit-form.ts";
import { asRefused } from "#dashboard/kit/forms/submitted-form.ts";
import { en } from "#dashboard/words/en.ts";
import { html } from "#platform/html/html.ts";
import { type BodyFault, unreadReply } from "#platform/http/intake/bodies.ts";

import type { Refused } from "./asker.ts";
import { barePage, plainPage } from "./respond.ts";
import type { Visit } from "./visit.ts";

type RefusedAnswer = Pick<Refused, "status" | "problem">;
/** The words of a page: the status, the title, and what to do. */
type Said = readonly [status: number, title: string, what: string];

/** The page for a refusal of the interface that no form is about. */
export function refusedPage(visit: Visit, answer: RefusedAnswer): PageContent {
  const [status, title, what] = saidOf(answer);
  return {
    status,
    title,
    body: html`<div class="heading"><h1>${title}</h1></div>
      <section class="empty">
        <p>${what}</p>
        <p><a class="button" href="${visit.href("")}">${en.nav.home}</a></p>
      </section>`,
  };
}

/** The page for what went wrong before there was a visit; `onFault` is told what is no refusal. */
export function failedResponse(error: unknown, onFault: (error: unknown) => void): Response {
  if (error instanceof UnreadForm) return unreadPage(error.fault);
  const refused = asRefused(error);
  if (refused === null) {
    onFault(error);
    return plainPage(500, en.refused.failed, en.refused.failedWhat(""));
  }
  const response = plainPage(...saidOf(refused));
  const retry = refused.answer.headers["Retry-After"];
  if (retry !== undefined) response.headers.set("Retry-After", retry);
  return response;
}

function unreadPage(fault: BodyFault): Response {
  const { refused } = en;
  const said: Readonly<Record<BodyFault, readonly [title: string, what: string]>> = {
    too_large: [refused.tooLarge, refused.tooLargeWhat],
    too_late: [refused.cutOff, refused.cutOffWhat],
    cut_off: [refused.cutOff, refused.cutOffWhat],
    too_busy: [refused.busy, refused.busyWhat],
  };
  const { status, headers } = unreadReply(fault);
  const response = plainPage(status, ...said[fault]);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function saidOf({ status, problem }: RefusedAnswer): Said {
  const { refused } = en;
  const id = problem["request_id"];
  if (status === 500) {
    return [status, refused.failed, refused.failedWhat(typeof id === "string" ? id : "")];
  }
  if (status === 403) return [status, refused.forbidden, refused.forbiddenWhat];
  if (status === 429) return [status, refused.busy, refused.busyWhat];
  if (status === 503) return [status, refused.away, refused.awayWhat];
  return [404, refused.notFound, refused.notFoundWhat];
}

const PROXY_LINES = `# nginx
proxy_set_header Host $http_host;
proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;

# Caddy
reverse_proxy 127.0.0.1:4000`;

/** A proxy that changes the host that it passes on is the usual cause. */
export function wrongHostPage(request: Request, url: string): Response {
  const words = en.refused;
  const host = request.headers.get("host") ?? "";
  return barePage(
    421,
    words.host,
    html`<p>${words.hostWhat(host, new URL(url).host)}</p>
      <p>${words.hostProxy}</p>
      <pre class="wire">${PROXY_LINES}</pre>
      <p><a class="button" href="${url}/dashboard">${words.hostOpen}</a></p>`,
  );
}
