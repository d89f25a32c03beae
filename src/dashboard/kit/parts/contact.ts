// The buttons that call a person, and that begin a message to them.

import { icon } from "#dashboard/kit/icons.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";

export function callLink(phone: string): Html {
  return html`<a class="button" href="tel:${phone}">${icon("call")} ${en.contact.call}</a>`;
}

/** Begins a message with this text in WhatsApp. */
export function whatsAppLink(phone: string, text: string): Html {
  const address = `https://wa.me/${phone.replaceAll(/\D/g, "")}?text=${encodeURIComponent(text)}`;
  return html`<a class="button" href="${address}" rel="noreferrer"
    >${icon("chat")} ${en.contact.whatsApp}</a
  >`;
}

/** Begins an email. Its address is encoded, but for its at sign (RFC 6068, section 2). */
export function emailLink(
  email: string,
  { subject, body }: { subject?: string; body: string },
): Html {
  const to = encodeURIComponent(email).replace("%40", "@");
  const head = subject === undefined ? "" : `subject=${encodeURIComponent(subject)}&`;
  const address = `mailto:${to}?${head}body=${encodeURIComponent(body)}`;
  return html`<a class="button" href="${address}">${icon("mail")} ${en.contact.email}</a>`;
}

// A key or a secret, with the way to copy it.

/** The text in one line of its own; `id` is that of the element, by which it is copied. */
export function secret(id: string, text: string): Html {
  return html`<div class="secret">
    <code id="${id}">${text}</code
    ><button type="button" data-copy="${id}" data-done="${en.copied}">
      ${icon("copy")} ${en.copy}
    </button>
  </div>`;
}
