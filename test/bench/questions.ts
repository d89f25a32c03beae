// What a large shop and a small one are both asked: every list that grows with the orders, each of its
// filters, and words to search for. Where a kind of request has many forms, they are asked in turn.

import { encodeCursor } from "#platform/http/calls/cursor.ts";

import { wordsOfProducts } from "./catalog.ts";

/** What requests are made of. */
export interface ShopFacts {
  readonly orders: number;
  readonly variantIds: readonly string[];
  readonly customerIds: readonly string[];
  /** A product that is sold. */
  readonly productId: string;
  /** Who ordered most, and by which words only they are found. */
  readonly regular: { readonly id: string; readonly email: string };
  /** Evenly from the oldest to the newest. */
  readonly sample: readonly {
    readonly id: string;
    readonly number: number;
    readonly external_id: string;
    readonly created_at: number;
  }[];
}

/** A request, or several of a kind. */
export interface Question {
  readonly title: string;
  paths(of: ShopFacts): readonly string[];
}

const ORDERS = "/v2/orders";
export const SUMMARY = "/v2/analytics/summary";

/** The same path in every shop, which is its own title. */
function plain(path: string): Question {
  return { title: path, paths: () => [path] };
}

function words(list: string): string[] {
  return list.toLowerCase().split(" ");
}

const each = ({ sample }: ShopFacts, path: (order: ShopFacts["sample"][number]) => string) =>
  sample.map(path);

export const questions: readonly Question[] = [
  plain(ORDERS),
  {
    title: `${ORDERS}?cursor= (deep)`,
    paths: (of) =>
      each(of, ({ id }) => {
        const cursor = encodeCursor({ after: id, scope: `test ${ORDERS} {}` });
        return `${ORDERS}?cursor=${cursor}`;
      }),
  },
  ...["open", "completed", "cancelled", "open,completed"].map((one) =>
    plain(`${ORDERS}?status=${one}`),
  ),
  ...[
    "unpaid",
    "pending",
    "partially_paid",
    "paid",
    "overpaid",
    "partially_refunded",
    "refunded",
    "unpaid,pending",
  ].map((one) => plain(`${ORDERS}?payment_status=${one}`)),
  ...["unfulfilled", "partially_fulfilled", "fulfilled"].map((one) =>
    plain(`${ORDERS}?fulfillment_status=${one}`),
  ),
  plain(`${ORDERS}?channel=phone`),
  {
    title: `${ORDERS}?customer_id=`,
    paths: ({ regular }) => [`${ORDERS}?customer_id=${regular.id}`],
  },
  {
    title: `${ORDERS}?number=`,
    paths: (of) => each(of, ({ number }) => `${ORDERS}?number=${number}`),
  },
  {
    title: `${ORDERS}?external_id=`,
    paths: (of) => each(of, ({ external_id: own }) => `${ORDERS}?external_id=${own}`),
  },
  {
    title: `${ORDERS}?created_at[lt]=`,
    paths: (of) =>
      each(of, ({ created_at: at }) => `${ORDERS}?created_at[lt]=${new Date(at).toISOString()}`),
  },
  plain(`${ORDERS}?status=open&channel=online_store`),
  plain(`${ORDERS}?status=open&payment_status=paid`),
  {
    title: `${ORDERS}?q= (number)`,
    paths: (of) => each(of, ({ number }) => `${ORDERS}?q=${number}`),
  },
  {
    title: `${ORDERS}?q= (who ordered most)`,
    paths: ({ regular }) => [`${ORDERS}?q=${encodeURIComponent(regular.email)}`],
  },
  {
    title: `${ORDERS}?q= (a name of many)`,
    paths: () => [`${ORDERS}?q=ada+mensah`],
  },
  plain("/v2/products?limit=20"),
  {
    title: "/v2/products?q= (two words)",
    paths: () =>
      words(wordsOfProducts.colors).flatMap((color) =>
        words(wordsOfProducts.things).map((thing) => `/v2/products?q=${color}+${thing}`),
      ),
  },
  {
    title: "/v2/products?q= (one word)",
    paths: () => words(wordsOfProducts.things).map((thing) => `/v2/products?q=${thing}`),
  },
  plain("/v2/inventory?low=true"),
];

export const summaryQuestion = plain(SUMMARY);
