// Workflow: summarize the sales of a period, including every event committed before the request.

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import { bucketOf, slotAt, SLOTS_OF_HOUR } from "#analytics/slots.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import type { LogBacklog } from "#platform/event-log/catch-up.ts";
import { findFirstSequence } from "#platform/event-log/event-log.ts";

import { blockRequests, type BlocksRequest, openBlocks, type SummaryRequest } from "./blocks.ts";
import type { Period } from "./period.ts";
import { findNames, type NameRow, sumSales } from "./queries.ts";
import { type Block, prepareBlock, readBlock, type Source } from "./read-block.ts";

export interface Summary {
  readonly period: Period;
  readonly channel: string | null;
  readonly backlog: LogBacklog;
  readonly blocks: readonly Block[];
  /** The names of the parts in the blocks, by number. */
  readonly names: ReadonlyMap<number, NameRow>;
}

/**
 * The summary, with a block for each currency that ever had an event, zeros included. Refuses with
 * `period_invalid`, and with `analytics_behind` if counting takes too long.
 */
export async function summarizeSales(
  shop: AnalyticsShop,
  request: SummaryRequest,
): Promise<Summary> {
  const terms = await openBlocks(shop, request);
  const { period, backlog } = terms;
  const openFrom = bucketOf(slotAt(shop.clock.now()), SLOTS_OF_HOUR);
  const sourceOf = async (db: Reader) => ({
    db,
    beginning: await findFirstSequence(db),
    caches: shop.summaryCaches,
    openFrom,
  });
  await prepareBlocks(await sourceOf(shop.database.read), terms);
  const { blocks, names } = await shop.database.readTogether(async (db) =>
    readBlocks(await sourceOf(db), terms),
  );
  return { period, channel: request.channel ?? null, backlog, blocks, names };
}

async function prepareBlocks(source: Source, request: BlocksRequest): Promise<void> {
  for (const block of await blockRequests(source.db, request)) {
    await prepareBlock(source, block, { period: request.period, between: nextTurn });
  }
}

async function readBlocks(
  source: Source,
  request: BlocksRequest,
): Promise<Pick<Summary, "blocks" | "names">> {
  const blocks: Block[] = [];
  for (const block of await blockRequests(source.db, request)) {
    blocks.push(await readBlock(source, block, request.period));
  }
  return { blocks, names: await findNames(source.db, numbersIn(blocks)) };
}

/** The numbers of all parts in the blocks. */
function numbersIn(blocks: readonly Block[]): number[] {
  const numbers = blocks.flatMap(({ breakdown }) => {
    const { variants, products, methods, providers, failureCodes, discounts, taxes } = breakdown;
    const parts = [variants, products].flatMap(({ byNet, byUnits }) => [...byNet, ...byUnits]);
    return [
      ...[...parts, ...methods, ...failureCodes, ...discounts].flatMap(({ part, owner }) => [
        part,
        owner,
      ]),
      ...[...providers, ...taxes].map(({ part }) => part),
    ];
  });
  return [...new Set(numbers)];
}

// Workflow: the sales of a period point by point, without what a summary breaks them down into. It reads a few rows,
// however much was sold.

/** The points of each currency. */
export interface SalesSeries extends Pick<Summary, "period" | "channel" | "backlog"> {
  readonly blocks: readonly Pick<Block, "currency" | "series">[];
}

/**
 * The sales, with the points of each currency that ever had an event, zeros included. Refuses with `period_invalid`,
 * and with `analytics_behind` if counting takes too long.
 */
export async function listSales(
  shop: AnalyticsShop,
  request: Omit<SummaryRequest, "compare">,
): Promise<SalesSeries> {
  const terms = await openBlocks(shop, request);
  const { period, backlog } = terms;
  const blocks = await shop.database.readTogether(async (db) => {
    const found: Pick<Block, "currency" | "series">[] = [];
    for (const { currency, scope } of await blockRequests(db, terms)) {
      found.push({ currency, series: await sumSales(db, scope, period.points) });
    }
    return found;
  });
  return { period, channel: request.channel ?? null, backlog, blocks };
}
