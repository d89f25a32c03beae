// How a link that was made for a person gets to them.

import { icon } from "#dashboard/kit/icons.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { isLoopbackHost } from "#platform/net/target-url.ts";

const { people } = en;

/** The ways to send the link; none that leads to nothing but the machine of the shop. */
export function waysToSend(link: string, shop: string): Html {
  if (isLoopbackHost(new URL(link).hostname)) {
    return html`<div class="note"><span>${people.linkOfThisMachine}</span></div>`;
  }
  const text = encodeURIComponent(people.whatsappText(shop, link));
  return html`<p>
    <a class="button" href="https://wa.me/?text=${text}" rel="noreferrer"
      >${icon("chat")} ${people.whatsapp}</a
    >
  </p>`;
}
