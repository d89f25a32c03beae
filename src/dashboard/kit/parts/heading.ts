// The head of a page: the way back, its title, and its one act.

import { icon, type IconName } from "#dashboard/kit/icons.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";

interface HeadingTerms {
  readonly title: Hole;
  /** The page above, by its address and its name. */
  readonly back?: readonly [href: string, name: string];
  readonly act?: Hole;
}

/** The head of a page. */
export function heading({ title, back, act = null }: HeadingTerms): Html {
  return html`<div class="heading">
    ${
      back !== undefined &&
      html`<p class="crumb">
        <a href="${back[0]}">${icon("back")}<span>${back[1]}</span></a>
      </p>`
    }
    <h1>${title}</h1>
    ${act}
  </div>`;
}

/** A link that looks like the page's first act. */
export function goLink(href: string, name: string, picture: IconName = "plus"): Html {
  return html`<a class="button go" href="${href}">${icon(picture)} ${name}</a>`;
}
