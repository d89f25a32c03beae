// The pages behind the button of an alert. They need no session, and say no more than the email that led here.

import { type AlertFacts, sentenceOf, whereOf, whoOf } from "#alerts/facts.ts";
import type { PageContent } from "#dashboard/kit/forms/form.ts";
import { en } from "#dashboard/words/en.ts";
import { en as emailWords } from "#emails/words/en.ts";
import { html } from "#platform/html/html.ts";

const words = en.alerts;

interface AlertTerms {
  readonly shop: string;
  readonly facts: AlertFacts & { readonly person: NonNullable<AlertFacts["person"]> };
  readonly path: string;
}

/** The act, and the button that ends sessions and devices. Only the button does, because mail programs open links. */
export function alertPage({ shop, facts, path }: AlertTerms): PageContent {
  const where = whereOf(facts);
  return {
    title: shop,
    isSecret: true,
    body: html`<p><strong>${sentenceOf(emailWords, facts)}</strong></p>
      <p class="soft">${whoOf(emailWords, facts)}${where !== null && html` · ${where}`}</p>
      <p>${words.what(facts.person.name)}</p>
      <form method="post" action="${path}">
        <p class="acts"><button class="danger">${words.go}</button></p>
      </form>`,
  };
}

/** The next steps, once the person is signed in nowhere. */
export function disownedPage(shop: string, name: string): PageContent {
  return {
    title: shop,
    body: html`<div class="note done" role="status"><span>${words.done(name)}</span></div>
      <p>${words.next(name)}</p>
      <p><a class="button" href="/dashboard/enter">${en.signIn.enter}</a></p>`,
  };
}

/** A link that is over, or was not made here. */
export function endedAlertPage(shop: string): PageContent {
  return {
    title: shop,
    status: 404,
    body: html`<div class="note stop" role="alert"><span>${words.ended}</span></div>
      <p>${words.endedWhat}</p>
      <p><a class="button" href="/dashboard/enter">${en.signIn.enter}</a></p>`,
  };
}
