// The ways to change a stock: count what is there, add what came in, take what went out. One form is shown at a time.

import { type Html, html } from "#platform/html/html.ts";

import { input, nonceField, select } from "../parts/field.ts";
import { tabs } from "../parts/search-box.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import type { Level } from "./levels.ts";

const ways = ["count", "add", "take"] as const;
type Way = (typeof ways)[number];

const reasonsOf = {
  add: ["received", "return", "correction"],
  take: ["sale", "damage", "correction"],
} as const;

/** The random name makes a second tap the same change. */
export function changeForm(visit: Visit, level: Level): Html {
  const { stock } = en;
  const asked = visit.submitted?.name ?? visit.query("do");
  const way = ways.find((one) => one === asked) ?? "count";
  const here = ways.map((one) => ({
    href: `${visit.page}?do=${one}`,
    word: stock.ways[one],
    isHere: one === way,
  }));
  return html`<section class="narrow">
    ${tabs(stock.way, here)}
    <form class="stack" method="post" action="${visit.page}/${way}">
      ${nonceField()} ${way === "count" ? countField(visit, level) : unitsFields(visit, way)}
      ${input(visit.submitted, { name: "/note", label: stock.note })}
      <div class="bar"><button class="go">${stock.go[way]}</button></div>
    </form>
  </section>`;
}

/** The count holds only for the stock that the page showed first, until the page has told another one. */
function countField({ submitted }: Visit, { on_hand: onHand }: Level): Html {
  const { stock } = en;
  const isTold = submitted?.code === "stale_stock";
  const expected = (isTold ? null : submitted?.value("/expected")) ?? onHand;
  return html`<input type="hidden" name="/expected" value="${expected}" />
    ${input(submitted, { name: "/on_hand", label: stock.counted, digits: "numeric", isRequired: true, hint: stock.countHint(onHand) })}`;
}

function unitsFields({ submitted }: Visit, way: Exclude<Way, "count">): Html {
  const { stock } = en;
  const label = way === "add" ? stock.added : stock.taken;
  const options = reasonsOf[way].map((value) => ({ value, label: stock.reasons[value] }));
  return html`<div class="pair">
    ${input(submitted, { name: "/adjust", label, digits: "numeric", isRequired: true })}
    ${select(submitted, { name: "/reason", label: stock.reason, options })}
  </div>`;
}
