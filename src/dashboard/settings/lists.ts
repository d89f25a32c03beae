// Shared by the lists of settings.

import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

const { settings } = en;

/** The query of a list from where the page's own one left off. */
export function afterCursor(visit: Visit): Readonly<Record<string, string>> {
  const cursor = visit.query("cursor");
  return { limit: "100", ...(cursor === "" ? {} : { cursor }) };
}

/** The settings without the ways to pay, for whose form alone the password is asked again. */
export function withoutPayments({ payment_methods: _ways, ...rest }: JsonObject): JsonObject {
  return rest;
}

interface Removal {
  /** The path of what is removed, below the dashboard. */
  readonly path: string;
  /** The route that removes it. */
  readonly route: string;
  readonly scope: string;
  /** The path that follows. */
  readonly list: string;
  readonly nameOf: (visit: Visit) => Promise<string>;
}

/** The page that says what removing does, with its form. */
export function removalPage({ path, route, scope, list, nameOf }: Removal): Page {
  return {
    path: `${path}/{id}/remove`,
    scopes: [scope],
    show: async (visit) => {
      const name = await nameOf(visit);
      const title = settings.removeTitle(name);
      const here = visit.href(`${path}/${visit.params["id"] ?? ""}`);
      return {
        title,
        body: html`${heading({ title, back: [here, name] })} ${refusedNote(visit.submitted)}
          <p class="narrow">${settings.removeWhat}</p>
          <form method="post" action="${here}/remove/sure">
            <p class="acts">
              <button class="danger">${settings.remove}</button>
              <a class="button quiet" href="${here}">${settings.keep}</a>
            </p>
          </form>`,
      };
    },
    forms: { sure: { route, doneMessage: "removed", redirectTo: () => list } },
  };
}
