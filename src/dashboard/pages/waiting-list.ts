// The list of what waits for the person: how many of what, and the way there. A part that the role may not see is left
// out.

import { checklistWire } from "#checks/schema.ts";
import { FAILING } from "#dashboard/developers/webhooks-page.ts";
import { icon } from "#dashboard/kit/icons.ts";
import { countOf } from "#dashboard/kit/parts/list.ts";
import { textOfMoney } from "#dashboard/kit/parts/money.ts";
import { inSentence, momentOf, shortDayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit, Waiting } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { DAY_MS } from "#kernel/time.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { abuseLine } from "./abuse-line.ts";

interface Line {
  readonly counted: { readonly count: number; readonly more: boolean } | null;
  readonly path: string;
  /** The word, or the word for one and that for many. */
  readonly word: string | readonly [string, string];
  readonly what: string;
  readonly isLate?: boolean;
}

const words = en.home;

/** The lines of what waits, or a sentence where nothing does. */
export async function waitingList(visit: Visit, waiting: Waiting): Promise<Html> {
  const refused = await abuseLine(visit, waiting);
  const all = [
    ...linesOf(visit, waiting),
    approvalsLine(waiting),
    codesLine(visit, waiting),
    ...(refused === null ? [] : [refused]),
    await backupLine(visit),
  ];
  const lines = all.filter(({ counted }) => (counted?.count ?? 0) > 0);
  return html`<section>
    <h2>${words.waiting}</h2>
    ${
      lines.length === 0
        ? html`<p class="soft">${words.nothingWaits}</p>`
        : html`<ul class="todo">
            ${lines.map((line) => lineOf(visit, line))}
          </ul>`
    }
  </section>`;
}

function lineOf(visit: Visit, { counted, path, word, what, isLate = false }: Line): Html | null {
  if (counted === null) return null;
  const isOne = counted.count === 1;
  return html`<li ${attribute("class", isLate && "late")}>
    <a href="${path.startsWith("/guides/") ? path : visit.href(path)}"
      ><b>${countOf(counted)}</b
      ><span
        ><strong>${typeof word === "string" ? word : word[isOne ? 0 : 1]}</strong>
        <span class="soft">${what}</span></span
      >${icon("on")}</a
    >
  </li>`;
}

function linesOf({ when, now }: Visit, waiting: Waiting): Line[] {
  const { to_pack: toPack, low_stock: low, left_carts: carts, open_disputes: disputes } = waiting;
  const oldest = toPack.oldest_at;
  const dueAt = disputes?.due_at ?? null;
  return [
    {
      counted: toPack,
      path: "/orders?show=pack",
      word: words.toPack,
      what: oldest === null ? "" : words.oldest(inSentence(momentOf(oldest, when))),
      isLate: oldest !== null && now - Date.parse(oldest) > DAY_MS,
    },
    {
      counted: waiting.short_orders,
      path: "/orders?show=all&payment=partially_paid",
      word: words.short,
      what: words.shortWhat,
    },
    {
      counted: waiting.payments_in_review,
      path: "/orders?show=all&payment=review",
      word: words.payments,
      what: words.paymentsWhat,
    },
    transfersLine(waiting),
    {
      counted: waiting.refunds_attention,
      path: "/refunds",
      word: words.refunds,
      what: words.refundsWhat,
    },
    {
      counted: disputes,
      path: "/disputes",
      word: words.disputes,
      what: dueAt === null ? "" : words.disputesWhat(shortDayOf(dueAt, when)),
      isLate: dueAt !== null && Date.parse(dueAt) - now < 2 * DAY_MS,
    },
    {
      counted: low,
      path: "/stock?show=low",
      word: words.low,
      what: namesOf(low),
    },
    {
      counted: carts,
      path: "/carts",
      word: words.carts,
      what: carts === null ? "" : worthOf(carts),
    },
    {
      counted: waiting.failed_emails,
      path: "/emails",
      word: words.emails,
      what: words.emailsWhat,
    },
    webhooksLine(waiting),
  ];
}

function transfersLine({ late_transfers: counted }: Waiting): Line {
  const path = "/payments?show=transfers";
  return { counted, path, word: words.transfers, what: words.transfersWhat };
}

function webhooksLine({ failing_webhooks: counted }: Waiting): Line {
  return { counted, path: FAILING, word: words.webhooks, what: words.webhooksWhat };
}

function approvalsLine({ refunds_approval: counted }: Waiting): Line {
  return { counted, path: "/refunds", word: words.approvals, what: words.approvalsWhat };
}

function codesLine(visit: Visit, { withheld_codes: counted }: Waiting): Line {
  return {
    counted: visit.may("store:write") ? counted : null,
    path: "/settings/shop",
    word: words.codes,
    what: words.codesWhat,
  };
}

/** A shop without a backup of these days, or whose bucket does not get them. */
async function backupLine(visit: Visit): Promise<Line> {
  const query = { area: "safety" };
  const isOwner = visit.visitor.person.role === "owner";
  const { checks } = isOwner
    ? await visit.ask(checklistWire, "GET /v2/checklist", { query })
    : { checks: [] };
  const failing = checks.filter(({ check, state }) => check === "backup" && state === "fail");
  return {
    counted: { count: failing.length, more: false },
    path: failing[0]?.href ?? "",
    word: en.checks.names["backup"] ?? "",
    what: failing[0]?.found ?? "",
    isLate: true,
  };
}

/** Carts in other currencies than the shop's are counted and have no worth here. */
function worthOf({ worth_minor: worth, currency }: NonNullable<Waiting["left_carts"]>): string {
  return worth === 0 ? words.cartsLink : words.cartsWhat(textOfMoney(worth, currency));
}

function namesOf(low: Waiting["low_stock"]): string {
  const names = low?.names ?? [];
  const isAll = low?.more === false && low.count === names.length;
  return names.join(", ") + (names.length === 0 || isAll ? "" : " …");
}
