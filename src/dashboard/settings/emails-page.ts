// The emails to customers: which are sent, whether the server can send them, and a try.

import type { Static } from "typebox";

import type { PageContent } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { checkbox, input, nonceField, versionField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { whyOf } from "#dashboard/orders/emails-part.ts";
import { en } from "#dashboard/words/en.ts";
import type { testEmailWire } from "#emails/schema.ts";
import { assume } from "#kernel/assume.ts";
import { type Html, html } from "#platform/html/html.ts";
import { notificationNames } from "#shop/store/notifications.ts";

type Tried = Static<(typeof testEmailWire)["schema"]>;

const { emails, settings } = en;

export const emailsPage: Page = {
  path: "/settings/emails",
  scopes: ["store:read"],
  show: (visit) => Promise.resolve(contentOf(visit, null)),
  forms: {
    save: { route: "PUT /v2/store", doneMessage: "saved", undo: {} },
    try: {
      route: "POST /v2/emails/test",
      doneMessage: "mailed",
      // The cast holds: the route answers by this shape.
      showAnswer: (visit, answer) => contentOf(visit, assume<Tried>(answer)),
    },
  },
};

function contentOf(visit: Visit, tried: Tried | null): PageContent {
  return {
    title: emails.title,
    body: html`${heading({ title: emails.title, back: [visit.href("/settings"), settings.title] })}
      ${doneNote(visit)} ${refusedNote(visit.submitted)}
      ${tried !== null && triedNote(visit, tried)} ${senderNote(visit)}
      <p>${emails.what}</p>
      ${choiceForm(visit)} ${visit.may("store:write") && canSend(visit) && tryForm(visit)}`,
  };
}

/** The test shop needs no mail server. */
function canSend({ mode, sender }: Visit): boolean {
  return mode === "test" || sender !== null;
}

/** Tells whether emails leave the shop, and whom they come from. */
function senderNote(visit: Visit): Html {
  if (visit.mode === "test") {
    return html`<p>
      ${emails.test}
      ${visit.may("sandbox:use") && html`<a href="${visit.href("/sandbox/inbox")}">${emails.inbox}</a>`}
    </p>`;
  }
  const { sender, store } = visit;
  if (sender !== null) {
    return html`<p>${emails.from(`${sender.name ?? store.name} <${sender.address}>`)}</p>`;
  }
  return html`<div class="note">
    <div>
      <p><strong>${emails.noServer}</strong></p>
      <p>${emails.noServerWhat} <a href="/guides/emails">${emails.guide}</a></p>
    </div>
  </div>`;
}

/** The emails, each to be turned on and off. */
function choiceForm(visit: Visit): Html {
  const { submitted, store, page } = visit;
  const boxes = notificationNames.map((name) => {
    const { name: label, what: hint } = emails.templates[name];
    const isChecked = store.notifications[name];
    return checkbox(submitted, { label, name: `/notifications/${name}`, isChecked, hint });
  });
  if (!visit.may("store:write")) {
    return html`<fieldset class="plain" disabled>${boxes}</fieldset>`;
  }
  const { postal: label, postalHint: hint } = emails;
  const address = input(submitted, {
    label,
    name: "/postal_address",
    value: store.postal_address,
    hint,
  });
  return html`<form class="stack form" method="post" action="${page}/save">
    ${versionField(submitted, store.version)} ${boxes} ${address}
    <p><button class="go">${en.save}</button></p>
  </form>`;
}

function tryForm({ submitted, page, mode, store }: Visit): Html {
  return html`<section>
    <h2>${emails.try}</h2>
    <p>${mode === "test" ? emails.tryWhatTest : emails.tryWhat}</p>
    <form class="stack form" method="post" action="${page}/try">
      ${nonceField()}
      ${input(submitted, { label: emails.to, name: "/to", type: "email", value: store.contact_email, isRequired: true })}
      <p><button>${emails.tryAct}</button></p>
    </form>
  </section>`;
}

/** The words of the mail server about the email that was tried. */
function triedNote({ mode }: Visit, { accepted, error, response }: Tried): Html {
  if (accepted) {
    const says = mode === "test" ? emails.acceptedTest : emails.accepted;
    return html`<div class="note done" role="status"><span>${says}</span></div>`;
  }
  return html`<div class="note stop" role="alert">
    <div>
      <p><strong>${emails.refused}</strong> ${whyOf(error)}</p>
      ${response !== "" && html`<p>${emails.said(response)}</p>`}
    </div>
  </div>`;
}
