// The stock of one variant: how many there are, what happened to them and by whom, and the ways to change it.

import type { Static } from "typebox";

import { levelWire, movementWire } from "#catalog/inventory/schema.ts";
import type { Edit, Undoable } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { input, nonceField, select } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { byDay, olderLink, tabs } from "#dashboard/kit/parts/list.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { hourOf } from "#dashboard/kit/parts/times.ts";
import { namesOf } from "#dashboard/kit/parts/who.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html, isolated } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/strict-json.ts";

import { type Level, levelName, standing } from "./stock-page.ts";

// The ways to change a stock: count what is there, add what came in, take what went out. One form is shown at a time.

const ways = ["count", "add", "take"] as const;
type Way = (typeof ways)[number];

const reasonsOf = {
  add: ["received", "return", "correction"],
  take: ["sale", "damage", "correction"],
} as const;

/** The random name makes a second tap the same change. */
function changeForm(visit: Visit, level: Level): Html {
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

type Movement = Static<(typeof movementWire)["schema"]>;

const route = "PUT /v2/inventory/{variant_id}";
/** A level has no version: what it came to must still be there. */
const undo: Undoable = { readRoute: null, undoBody: unitsBack };

export const levelPage: Page = {
  path: "/stock/{variant_id}",
  scopes: ["inventory:read"],
  show: async (visit) => {
    const params = { variant_id: visit.params["variant_id"] ?? "" };
    const level = await visit.ask(levelWire, "GET /v2/inventory/{variant_id}", { params });
    const cursor = visit.query("cursor");
    const movements = await visit.list(movementWire, "GET /v2/inventory/{variant_id}/movements", {
      params,
      query: { limit: "20", ...(cursor === "" ? {} : { cursor }) },
    });
    const name = levelName(level);
    const nameOf = await namesOf(
      visit,
      movements.data.map(({ actor }) => actor),
    );
    return {
      title: name,
      follows: level.variant_id,
      body: html`${heading({ title: name, back: [visit.href("/stock"), en.nav.stock], act: standing(level) })}
        ${doneNote(visit)} ${staleNote(visit) ?? refusedNote(visit.submitted)} ${countsOf(level)}
        <p>
          <a class="tap" href="${visit.href(`/products/${level.product_id}`)}"
            >${en.stock.product}</a
          >
        </p>
        ${visit.may("inventory:write") && changeForm(visit, level)}
        <section class="list">
          <h2>${en.stock.movements}</h2>
          ${
            movements.data.length === 0
              ? html`<p class="soft">${en.stock.noMovements}</p>`
              : html`<ul class="rows moves">
                  ${byDay(movements.data, visit.when, (one) => movementRow(visit, one, nameOf(one.actor)))}
                </ul>`
          }
          ${olderLink(visit, movements)}
        </section>`,
    };
  },
  forms: {
    count: { route, doneMessage: "counted", undo },
    add: { route, doneMessage: "counted", prepareBody: units(1), undo },
    take: { route, doneMessage: "counted", prepareBody: units(-1), undo },
  },
};

/** A number that was typed counts in one direction, whatever its sign. */
function units(direction: 1 | -1): (body: JsonObject) => JsonObject {
  return ({ adjust, ...rest }) =>
    typeof adjust === "number"
      ? { ...rest, adjust: direction * Math.abs(adjust) }
      : { ...rest, adjust: adjust ?? "" };
}

/** As many units in the other direction. A count says of how many it was made. */
function unitsBack({ body, after }: Edit): JsonObject | null {
  const { adjust, on_hand: counted, expected } = body;
  const delta = Number(adjust ?? Number(counted) - Number(expected));
  const { on_hand: now } = after;
  if (!Number.isSafeInteger(delta) || delta === 0 || now === undefined) return null;
  return { adjust: -delta, expected: now, reason: "correction" };
}

/** How the stock is now, where a count was made of an older one. */
function staleNote({ submitted }: Visit): Html | null {
  const onHand = submitted?.problem["on_hand"];
  if (submitted?.code !== "stale_stock" || typeof onHand !== "number") return null;
  const says = submitted.isUndo ? en.undo.stale("") : en.stock.stale(onHand);
  return html`<div class="note stop" role="alert"><p>${says}</p></div>`;
}

function countsOf({ on_hand: onHand, reserved, available }: Level): Html {
  const { stock } = en;
  const counts = [
    [stock.onHand, onHand],
    [stock.reserved, reserved],
    [stock.available, available ?? "–"],
  ] as const;
  return html`<dl class="counts">
    ${counts.map(
      ([word, count]) =>
        html`<div>
          <dt>${word}</dt>
          <dd>${count}</dd>
        </div>`,
    )}
  </dl>`;
}

function movementRow(visit: Visit, movement: Movement, name: string | null): Html {
  const { stock } = en;
  const { order_id: order, note } = movement;
  return html`<li class="move" id="${movement.id}">
    <span class="name"
      >${stock.reasons[movement.reason]}${order !== null && html` · <a href="${visit.href(`/orders/${order}`)}">${stock.order}</a>`}</span
    ><span class="sum">${changeOf(movement)}</span
    ><span class="what"
      >${[hourOf(movement.created_at, visit.when.zone), isolated(actorOf(visit, movement, name)), isolated(note ?? "")].filter((text) => text !== "").join(" · ")}</span
    ><span class="when">${stock.becomes(movement.balance.on_hand)}</span>
  </li>`;
}

function changeOf({ delta_on_hand: onHand, delta_reserved: reserved }: Movement): string {
  const { stock } = en;
  if (onHand > 0) return `+${onHand}`;
  if (onHand < 0) return `−${-onHand}`;
  if (reserved === 0) return "0";
  return reserved > 0 ? stock.toReserve(reserved) : stock.fromReserve(-reserved);
}

function actorOf({ visitor }: Visit, { actor }: Movement, name: string | null): string {
  const { actors } = en.stock;
  return actor.id === visitor.person.id ? actors.you : (name ?? actors[actor.type]);
}
