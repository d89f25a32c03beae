// Counting many at once: one number per row, and rows without one stay as they are.

import type { Static } from "typebox";

import { levelWire, stockBatchResultShape } from "#catalog/inventory/schema.ts";
import type { PageContent } from "#dashboard/kit/forms/form.ts";
import type { SubmittedForm } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { idOf, nonceField } from "#dashboard/kit/parts/field.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList } from "#dashboard/kit/parts/list.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { assume, isObject } from "#kernel/assume.ts";
import { attribute, type Html, html, isolated } from "#platform/html/html.ts";
import type { JsonObject, JsonValue } from "#platform/http/strict-json.ts";

import { type Level, levelName } from "./stock-page.ts";

const ROWS = 50;

type Results = Static<(typeof stockBatchResultShape)["schema"]>;

export const countPage: Page = {
  path: "/stock/count",
  scopes: ["inventory:write"],
  show: async (visit) => {
    const { stock } = en;
    const cursor = visit.query("cursor");
    const from: Record<string, string> = cursor === "" ? {} : { cursor };
    const listed = await visit.list(levelWire, "GET /v2/inventory", {
      query: { ...from, limit: String(ROWS) },
    });
    const next = listed.next_cursor ?? "";
    // The page after a count leads on: a link past the form would leave behind what was typed.
    const query = new URLSearchParams({ ...from, next });
    const levels = visit.submitted === null ? listed.data : await levelsIn(visit, visit.submitted);
    return {
      title: stock.countTitle,
      body: html`${refusedNote(visit.submitted)} ${headOf(visit)}
      ${
        levels.length === 0
          ? emptyList(stock.empty, stock.emptyWhat)
          : html`<p class="soft">${stock.countWhat}</p>
              <form class="stack" method="post" action="${visit.page}/save?${query.toString()}">
                ${nonceField()}
                <ul class="rows tally">
                  ${levels.map((one, index) => rowOf(visit.submitted, one, index))}
                </ul>
                <div class="bar"><button class="go">${stock.countSave}</button></div>
              </form>`
      }
      ${next !== "" && html`<p><a class="button" rel="next" href="${nextPage(visit, next)}">${stock.countSkip}</a></p>`}`,
    };
  },
  forms: {
    save: {
      route: "POST /v2/inventory/batch",
      doneMessage: "counted",
      prepareBody: typedRows,
      fieldOf: fieldOfRow,
      showAnswer: showResults,
    },
  },
};

const VARIANT = /^\/rows\/\d+\/variant_id$/;

/** Those of the form that was sent: each number that was typed stays with what was counted, whatever came meanwhile. */
function levelsIn(visit: Visit, { fields }: SubmittedForm): Promise<Level[]> {
  const counted = [...fields].filter(([name]) => VARIANT.test(name)).slice(0, ROWS);
  return Promise.all(counted.map(([, variantId]) => levelOf(visit, variantId)));
}

function levelOf(visit: Visit, variantId: string): Promise<Level> {
  const params = { variant_id: variantId };
  return visit.ask(levelWire, "GET /v2/inventory/{variant_id}", { params });
}

function nextPage({ page }: Visit, cursor: string): string {
  return `${page}?cursor=${encodeURIComponent(cursor)}`;
}

function headOf(visit: Visit): Html {
  return heading({ title: en.stock.countTitle, back: [visit.href("/stock"), en.nav.stock] });
}

function rowOf(submitted: SubmittedForm | null, level: Level, index: number): Html {
  const name = levelName(level);
  const field = `/rows/${index}/on_hand`;
  const fault = submitted?.faultOf(field);
  const id = idOf(field);
  const expected = `/rows/${index}/expected`;
  return html`<li>
    <input type="hidden" name="/rows/${index}/variant_id" value="${level.variant_id}" />
    <input
      type="hidden"
      name="${expected}"
      value="${submitted?.value(expected) ?? level.on_hand}"
    />
    <label for="${id}"
      ><span class="name">${name}</span>
      <span class="soft small"
        >${[isolated(level.sku ?? ""), en.stock.onHandNow(level.on_hand)].filter((text) => text !== "").join(" · ")}</span
      ></label
    >
    <input
      id="${id}"
      name="${field}"
      value="${submitted?.value(field) ?? ""}"
      inputmode="numeric"
      autocomplete="off"
      ${fault !== undefined && [attribute("aria-invalid", "true"), attribute("aria-describedby", `${id}-fault`)]}
    />
    ${fault !== undefined && html`<p class="fault" id="${id}-fault">${fault}</p>`}
  </li>`;
}

/** The rows in which a count was typed. */
function typedRows({ rows }: JsonObject): JsonObject {
  const all = Array.isArray(rows) ? rows : [];
  return { rows: all.filter((row) => isObject(row) && "on_hand" in row) };
}

/** The row of the form that a fault of the rows that were sent is about. */
function fieldOfRow(pointer: string, fields: URLSearchParams): string {
  const [, list, index, ...rest] = pointer.split("/");
  const typed = [...fields].filter(
    ([name, value]) => /^\/rows\/\d+\/on_hand$/.test(name) && value.trim() !== "",
  );
  const row = typed[Number(index)]?.[0].split("/")[2];
  return row === undefined ? "" : ["", list, row, ...rest].join("/");
}

/** The counts that were saved, and those that were not since their stock changed meanwhile. */
async function showResults(visit: Visit, answer: JsonValue): Promise<PageContent> {
  const { stock } = en;
  // The cast holds: the route wrote the answer by this shape.
  const { results } = assume<Results>(answer);
  const levels = await Promise.all(
    results.map(({ variant_id: variantId }) => levelOf(visit, variantId)),
  );
  const next = visit.query("next");
  const failed = levels.filter((_, index) => results[index]?.error !== null);
  const saved = levels.filter((_, index) => results[index]?.error === null);
  return {
    title: stock.countTitle,
    body: html`${saved.length > 0 && html`<div class="note done" role="status"><span>${stock.countedRows(saved.length)}</span></div>`}
      ${failed.length > 0 && html`<div class="note stop" role="alert"><p>${stock.failedRows(failed.length)}</p></div>`}
      ${headOf(visit)}
      <ul class="rows">
        ${[...failed, ...saved].map((one) => resultRow(visit, one, failed.includes(one)))}
      </ul>
      <p class="acts">
        ${next !== "" && html`<a class="button go" href="${nextPage(visit, next)}">${stock.countNext}</a>`}
        <a class="button" href="${visit.href("/stock")}">${stock.toStock}</a>
      </p>`,
  };
}

function resultRow(visit: Visit, level: Level, isFailed: boolean): Html {
  return html`<li>
    <a class="row" href="${visit.href(`/stock/${level.variant_id}`)}"
      ><span class="name">${levelName(level)}</span
      ><span class="what">${isFailed ? en.stock.notSaved : null}</span
      ><span class="sum">${en.stock.onHandNow(level.on_hand)}</span></a
    >
  </li>`;
}
