// What no field takes is typed into each text field of each form of each page: the page says what is taken, in a sentence.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { addressesOf } from "./addresses.ts";
import { type DashboardShop, decoded, openDashboard } from "./dashboard-shop.ts";

/** A form as a browser would send it. */
interface SeenForm {
  readonly actions: string[];
  readonly fields: [name: string, value: string][];
  /** The fields that one types into. */
  readonly typed: Set<string>;
}

let dashboard: DashboardShop;
let addresses: readonly string[];

beforeAll(async () => {
  dashboard = await openDashboard();
  await dashboard.shop.post("/v2/test/seed", {});
  addresses = await addressesOf(dashboard);
});

afterAll(() => dashboard[Symbol.asyncDispose]());

const PAGES = 30;
const TYPED = ["text", "tel", "email", "url", "search"];

/** The forms of a page that are sent with POST. */
function formsIn(html: string): SeenForm[] {
  const forms: SeenForm[] = [];
  const last = () => forms.at(-1);
  const attribute = (of: HTMLRewriterTypes.Element, name: string) =>
    decoded(of.getAttribute(name) ?? "");
  const typed = (name: string, value: string) => {
    last()?.fields.push([name, value]);
    last()?.typed.add(name);
  };
  let select = "";
  new HTMLRewriter()
    .on("form", {
      element: (form) => {
        const isSent = attribute(form, "method") === "post";
        forms.push({
          actions: isSent ? [attribute(form, "action")] : [],
          fields: [],
          typed: new Set(),
        });
      },
    })
    .on("form button[formaction]", {
      element: (button) => void last()?.actions.push(attribute(button, "formaction")),
    })
    .on("form input", {
      element: (input) => {
        const [name, value] = [attribute(input, "name"), attribute(input, "value")];
        const type = input.getAttribute("type") ?? "text";
        if (TYPED.includes(type)) typed(name, value);
        else if (!["checkbox", "radio"].includes(type) || input.hasAttribute("checked")) {
          last()?.fields.push([name, value]);
        }
      },
    })
    .on("form textarea", { element: (area) => typed(attribute(area, "name"), "") })
    .on("form select", { element: (of) => void (select = attribute(of, "name")) })
    .on("form option[selected]", {
      element: (option) => void last()?.fields.push([select, attribute(option, "value")]),
    })
    .transform(html);
  return forms.filter(({ actions, typed: names }) => actions.length > 0 && names.size > 0);
}

test.each([
  ["signs, and characters that no screen shows", "!§ %*\u{1}\u{FFFE}"],
  ["three hundred letters of another script", "я".repeat(300)],
])("%s", async (name, text) => {
  const unsaid: string[] = [];
  let seen = 0;
  let person = dashboard.owner;

  for (const [at, address] of addresses.entries()) {
    // All pages in a minute are more than one person may ask for.
    if (at % PAGES === 0) person = await dashboard.join("owner", `${name} ${at}`);
    const { status, html } = await person.get(address);
    expect(status).toBe(200);
    for (const { actions, fields, typed } of formsIn(html)) {
      const sent = fields.map(
        ([field, value]) => [field, typed.has(field) ? text : value] as const,
      );
      for (const action of actions) {
        const page = await person.send(action, sent);
        const faults = [...page.html.matchAll(/class="fault"[^>]*>([^<]+)</g)].map(
          ([, one = ""]) => one,
        );
        seen += faults.length;
        const isSaid = faults.every((fault) => /^[A-Z].*[.?]$/s.test(decoded(fault)));
        const isGeneral = /required format|requested format|undefined/.test(page.text);
        if (page.status >= 500 || !isSaid || isGeneral)
          unsaid.push(`${action} ${page.status} ${faults.join()}`);
      }
    }
  }

  expect(unsaid).toEqual([]);
  expect(seen).toBeGreaterThan(50);
});
