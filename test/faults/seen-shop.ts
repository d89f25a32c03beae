// What a shop shows over the interface: everything, page by page, counted by the marks of the requests that
// caused it.

/** Fetches a path; returns the body as text. */
export type Read = (path: string) => Promise<string>;

/** The two variants of every shop under test. */
export interface Shelves {
  /** Changed by orders only. */
  readonly soldId: string;
  readonly soldBefore: number;
  /** Changed by adjustments only. */
  readonly countedId: string;
  readonly countedBefore: number;
}

export interface SeenOrder {
  readonly id: string;
  readonly status: string;
  readonly units: number;
  readonly shippedUnits: number;
  readonly wasPaid: boolean;
}

type Marked = "order" | "payment" | "shipment" | "adjustment";

export interface SeenShop {
  /** How often each mark occurs, by kind; cancellations have none. */
  readonly marks: Readonly<Record<Marked, ReadonlyMap<string, number>>>;
  readonly orders: ReadonlyMap<string, SeenOrder>;
  /** The status of each payment, by its mark. */
  readonly payments: ReadonlyMap<string, string>;
  /** How often each event of an order was announced, by `event order`. */
  readonly announced: ReadonlyMap<string, number>;
  readonly stock: Shelves & {
    readonly soldOnHand: number;
    readonly soldReserved: number;
    readonly countedOnHand: number;
    /** The sum of the movements of the adjusted variant. */
    readonly adjusted: number;
  };
  /** Contradictions within the shop. */
  readonly faults: readonly string[];
}

interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null;
}

interface ShownOrder {
  readonly id: string;
  readonly status: string;
  readonly metadata: { readonly deed?: string };
  readonly paid_at: string | null;
  readonly line_items: readonly {
    readonly quantity: number;
    readonly fulfilled_quantity: number;
  }[];
  readonly fulfillments: readonly { readonly tracking: { readonly number: string } | null }[];
}

interface ShownPayment {
  readonly status: string;
  readonly metadata: { readonly deed?: string };
}

interface ShownMovement {
  readonly note: string | null;
  readonly delta_on_hand: number;
}

interface ShownEvent {
  readonly event: string;
  readonly sequence: number;
  readonly data: { readonly order_id?: string | null };
}

interface ShownLevel {
  readonly on_hand: number;
  readonly reserved: number;
}

class Tally extends Map<string, number> {
  add(name: string): void {
    this.set(name, (this.get(name) ?? 0) + 1);
  }
}

/** Reads the whole shop. No client may be active meanwhile. */
export async function seeShop(read: Read, shelves: Shelves): Promise<SeenShop> {
  const marks = {
    order: new Tally(),
    payment: new Tally(),
    shipment: new Tally(),
    adjustment: new Tally(),
  };
  const orders = new Map<string, SeenOrder>();
  for await (const order of everyOf<ShownOrder>(read, "/v2/orders")) {
    marks.order.add(order.metadata.deed ?? order.id);
    for (const { tracking } of order.fulfillments) marks.shipment.add(tracking?.number ?? order.id);
    orders.set(order.id, seenOrder(order));
  }
  const payments = new Map<string, string>();
  for await (const { status, metadata } of everyOf<ShownPayment>(read, "/v2/payments")) {
    marks.payment.add(metadata.deed ?? "without a mark");
    payments.set(metadata.deed ?? "without a mark", status);
  }
  const stock = await seeStock(read, shelves, marks.adjustment);
  return { marks, orders, payments, stock, ...(await seeEvents(read)) };
}

async function seeStock(
  read: Read,
  shelves: Shelves,
  adjustments: Tally,
): Promise<SeenShop["stock"]> {
  const path = `/v2/inventory/${shelves.countedId}/movements`;
  let adjusted = -shelves.countedBefore;
  for await (const movement of everyOf<ShownMovement>(read, path)) {
    adjusted += movement.delta_on_hand;
    if (movement.note !== null) adjustments.add(movement.note);
  }
  const sold: ShownLevel = JSON.parse(await read(`/v2/inventory/${shelves.soldId}`));
  const counted: ShownLevel = JSON.parse(await read(`/v2/inventory/${shelves.countedId}`));
  return {
    ...shelves,
    adjusted,
    soldOnHand: sold.on_hand,
    soldReserved: sold.reserved,
    countedOnHand: counted.on_hand,
  };
}

function seenOrder({ id, status, line_items: lines, ...order }: ShownOrder): SeenOrder {
  const sum = (units: readonly number[]) => units.reduce((all, one) => all + one, 0);
  return {
    id,
    status,
    units: sum(lines.map(({ quantity }) => quantity)),
    shippedUnits: sum(lines.map((line) => line.fulfilled_quantity)),
    wasPaid: order.paid_at !== null,
  };
}

async function seeEvents(read: Read): Promise<Pick<SeenShop, "announced" | "faults">> {
  const announced = new Tally();
  const faults: string[] = [];
  let after = 0;
  for (let hasMore = true; hasMore;) {
    const page: Page<ShownEvent> = JSON.parse(await read(`/v2/events?limit=100&after=${after}`));
    for (const { event, sequence, data } of page.data) {
      after += 1;
      if (sequence !== after) faults.push(`event ${sequence} comes where ${after} should`);
      after = sequence;
      if (typeof data.order_id === "string") announced.add(`${event} ${data.order_id}`);
    }
    hasMore = page.has_more;
  }
  return { announced, faults };
}

async function* everyOf<T>(read: Read, path: string): AsyncGenerator<T> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const from: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<T> = JSON.parse(await read(`${path}?limit=100${from}`));
    yield* page.data;
    cursor = page.has_more ? (page.next_cursor ?? null) : null;
  }
}
