// The inbox of the test shop: each request with its body, and whether a webhook of the shop signed it.

import type { Static } from "typebox";

import type { Page } from "#dashboard/kit/page.ts";
import { nonceField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, olderLink } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark } from "#dashboard/kit/parts/order-words.ts";
import { agoOrDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { inboxMessageWire } from "#sandbox/inbox/schema.ts";

import { linesOfText } from "./events-page.ts";

type Message = Static<(typeof inboxMessageWire)["schema"]>;

const words = en.sandbox;

export const inboxPage: Page = {
  path: "/sandbox/inbox",
  scopes: ["sandbox:use"],
  isTestOnly: true,
  show: async (visit) => {
    const cursor = visit.query("cursor");
    const query = { limit: "10", ...(cursor === "" ? {} : { cursor }) };
    const listed = await visit.list(inboxMessageWire, "GET /v2/test/inbox", { query });
    const isEmpty = listed.data.length === 0;
    return {
      title: words.inbox,
      body: html`${heading({ title: words.inbox, back: [visit.href("/sandbox"), words.title], act: !isEmpty && emptyForm(visit) })}
      ${doneNote(visit)} ${refusedNote(visit.submitted)}
      ${
        isEmpty
          ? emptyList(words.inboxEmpty, words.inboxEmptyWhat(inboxUrl(visit)))
          : html`<div>${listed.data.map((message) => messagePart(visit, message))}</div>`
      }
      ${olderLink(visit, listed)}`,
    };
  },
  forms: { empty: { route: "DELETE /v2/test/inbox", doneMessage: "removed" } },
};

function inboxUrl({ url }: Visit): string {
  return `${url.origin}/hooks/test/inbox`;
}

function emptyForm(visit: Visit): Html {
  return html`<form method="post" action="${visit.page}/empty">
    ${nonceField()}<button>${words.empty}</button>
  </form>`;
}

function messagePart(visit: Visit, message: Message): Html {
  const { name, event, signature, received_at: at, headers, body } = message;
  // Emails to customers come here, too, and no webhook signs them.
  const { subject } = headers;
  const look = signature === "valid" ? "done" : signature === "unsigned" ? "off" : "stop";
  return html`<details>
    <summary>
      <span>${event ?? subject ?? words.unknownEvent}</span>
      <span class="soft small">${name} · ${agoOrDayOf(at, visit.when)}</span>
      ${subject === undefined && mark(look, words.signatures[signature])}
    </summary>
    <pre class="wire" tabindex="0">${linesOfText(body)}</pre>
    <dl class="facts">
      ${Object.entries(headers).map(
        ([header, value]) =>
          html`<dt>${header}</dt>
            <dd class="mono">${value}</dd>`,
      )}
    </dl>
  </details>`;
}
