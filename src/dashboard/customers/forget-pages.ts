// The pages that say what erasing or deleting a customer does, before it is done.

import { html } from "#platform/html/html.ts";

import type { RequestForm } from "../forms/form.ts";
import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { refusedNote } from "../parts/note.ts";
import { en } from "../words/en.ts";
import { customerOf } from "./customer-page.ts";
import { nameOf } from "./customer-words.ts";

const words = en.customers;

/** Of a customer with orders: these are kept, without a name. */
export const eraseCustomerPage = forgetPage("erase", {
  title: words.eraseTitle,
  what: words.eraseWhat,
  act: words.eraseGo,
  route: "POST /v2/customers/{id}/erase",
  doneMessage: "erased",
});

/** Of a customer without orders, of whom nothing needs to be kept. */
export const deleteCustomerPage = forgetPage("delete", {
  title: words.deleteTitle,
  what: words.deleteWhat,
  act: words.deleteGo,
  route: "DELETE /v2/customers/{id}",
  doneMessage: "removed",
  redirectTo: () => "/customers",
});

interface Forgetting extends Pick<RequestForm, "route" | "doneMessage"> {
  readonly title: (name: string) => string;
  readonly what: string;
  readonly act: string;
  /** By default the customer's page. */
  readonly redirectTo?: () => string;
}

function forgetPage(
  step: string,
  { title, what, act, route, doneMessage, redirectTo }: Forgetting,
): Page {
  return {
    path: `/customers/{id}/${step}`,
    scopes: ["customers:write"],
    show: async (visit) => {
      const customer = await customerOf(visit);
      const name = nameOf(customer);
      const here = visit.href(`/customers/${customer.id}`);
      return {
        title: title(name),
        body: html`${heading({ title: html`<bdi>${title(name)}</bdi>`, back: [here, name] })}
          ${refusedNote(visit.submitted)}
          <p class="narrow">${what}</p>
          <form method="post" action="${visit.page}/sure">
            <input type="hidden" name="version" value="${customer.version}" />
            <p class="acts">
              <button class="danger">${act}</button>
              <a class="button quiet" href="${here}">${words.keep}</a>
            </p>
          </form>`,
      };
    },
    forms: {
      sure: {
        route,
        doneMessage,
        needsConfirmation: true,
        redirectTo: redirectTo ?? ((_, visit) => `/customers/${visit.params["id"] ?? ""}`),
      },
    },
  };
}
