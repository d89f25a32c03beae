// A key or a secret, with the way to copy it.

import { type Html, html } from "#platform/html/html.ts";

import { icon } from "../icons.ts";
import { en } from "../words/en.ts";

/** The text in one line of its own; `id` is that of the element, by which it is copied. */
export function secret(id: string, text: string): Html {
  return html`<div class="secret">
    <code id="${id}">${text}</code
    ><button type="button" data-copy="${id}" data-done="${en.copied}">
      ${icon("copy")} ${en.copy}
    </button>
  </div>`;
}
