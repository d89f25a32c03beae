// A request in words: how it ended, and what it was.

import type { Static } from "typebox";

import { type Html, html } from "#platform/html/html.ts";
import type { requestsShape } from "#shop/requests/schema.ts";

import { mark } from "../parts/order-words.ts";
import { en } from "../words/en.ts";

export type SentRequest = Static<(typeof requestsShape)["schema"]>["data"][number];

const { requests } = en;

/** Its method and its path. */
export function nameOf({ method, path, route }: SentRequest): string {
  return `${method} ${path ?? route ?? requests.unknownPath}`;
}

/** The status as it was sent. */
export function statusMark({ status }: SentRequest): Html {
  return html`<span class="code ${status < 400 ? "" : "bad"}">${status}</span>`;
}

/** How it ended: a mark and a word. */
export function endMark({ status }: SentRequest): Html {
  if (status >= 500) return mark("stop", requests.standing.failed);
  return status >= 400
    ? mark("stop", requests.standing.refused)
    : mark("done", requests.standing.done);
}
