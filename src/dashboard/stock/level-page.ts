// The stock of one variant: how many there are, what happened to them and by whom, and the ways to change it.

import type { Static } from "typebox";

import { levelWire, movementWire } from "#catalog/inventory/schema.ts";
import { type Html, html } from "#platform/html/html.ts";
import type { JsonObject } from "#platform/http/json/strict-json.ts";

import type { Page } from "../page.ts";
import { onceField } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { byDay, olderLink } from "../parts/list.ts";
import { doneNote, refusedNote } from "../parts/note.ts";
import { hourOf } from "../parts/times.ts";
import { namesOf } from "../parts/who.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";
import { changeForm } from "./change-form.ts";
import { type Level, levelName } from "./levels.ts";
import { standing } from "./stock-page.ts";

type Movement = Static<(typeof movementWire)["schema"]>;

const asks = "PUT /v2/inventory/{variant_id}";

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
      body: html`${undoNote(visit, level, movements.data[0]) ?? doneNote(visit)}
        ${staleNote(visit) ?? refusedNote(visit.sent)}
        ${heading({ title: name, back: [visit.href("/stock"), en.nav.stock], act: standing(level) })}
        ${countsOf(level)}
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
    count: { asks, says: "counted" },
    add: { asks, says: "counted", completes: units(1) },
    take: { asks, says: "counted", completes: units(-1) },
    undo: { asks, says: "undone" },
  },
};

/** What was typed counts in one direction, whatever its sign. */
function units(direction: 1 | -1): (body: JsonObject) => JsonObject {
  return ({ adjust, ...rest }) =>
    typeof adjust === "number"
      ? { ...rest, adjust: direction * Math.abs(adjust) }
      : { ...rest, adjust: adjust ?? "" };
}

/** What this person has just changed, with the way back: as many units in the other direction. */
function undoNote(visit: Visit, level: Level, last: Movement | undefined): Html | null {
  const says = visit.query("done") === "counted" ? doneNote(visit) : null;
  if (says === null || last === undefined || last.delta_on_hand === 0) return null;
  if (last.actor.id !== visit.visitor.person.id || last.order_id !== null) return null;
  return html`<div class="note done" role="status">
    <span>${en.done.counted}</span>
    <form method="post" action="${visit.page}/undo">
      ${onceField()} ${hidden("/adjust", -last.delta_on_hand)} ${hidden("/expected", level.on_hand)}
      ${hidden("/reason", "correction")}
      <button>${en.goods.undo}</button>
    </form>
  </div>`;
}

function hidden(name: string, value: string | number): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** How the stock is now, where a count was made of an older one. */
function staleNote({ sent }: Visit): Html | null {
  const onHand = sent?.problem["on_hand"];
  if (sent?.code !== "stale_stock" || typeof onHand !== "number") return null;
  return html`<div class="note stop" role="alert"><p>${en.stock.stale(onHand)}</p></div>`;
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
      >${[hourOf(movement.created_at, visit.when.zone), actorOf(visit, movement, name), note ?? ""].filter((text) => text !== "").join(" · ")}</span
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
