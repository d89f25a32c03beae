// What a shop shows of itself over the interface: everything, page by page, counted by the marks of
// the deeds behind it.

/** GETs a path; answers the body, as text. */
export type Look = (path: string) => Promise<string>;

/** The two variants of every shop that is put to the test. */
export interface Shelves {
  /** Is sold, and touched by orders alone. */
  readonly soldId: string;
  readonly soldBefore: number;
  /** Is counted, and touched by adjustments alone. */
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
  /** How often each mark is there, by what it marks; cancellations bear none. */
  readonly marks: Readonly<Record<Marked, ReadonlyMap<string, number>>>;
  readonly orders: ReadonlyMap<string, SeenOrder>;
  /** The status of each payment, by its mark. */
  readonly payments: ReadonlyMap<string, string>;
  /** How often each event was announced of each order, by `event order`. */
  readonly announced: ReadonlyMap<string, number>;
  readonly stock: Shelves & {
    readonly soldOnHand: number;
    readonly soldReserved: number;
    readonly countedOnHand: number;
    /** The sum of the movements of what is counted. */
    readonly adjusted: number;
  };
  /** Where it contradicts itself. */
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

/** Looks at everything. Nobody may be at work in the shop meanwhile. */
export async function seeShop(look: Look, shelves: Shelves): Promise<SeenShop> {
  const marks = {
    order: new Tally(),
    payment: new Tally(),
    shipment: new Tally(),
    adjustment: new Tally(),
  };
  const orders = new Map<string, SeenOrder>();
  for await (const order of everyOf<ShownOrder>(look, "/v2/orders")) {
    marks.order.add(order.metadata.deed ?? order.id);
    for (const { tracking } of order.fulfillments) marks.shipment.add(tracking?.number ?? order.id);
    orders.set(order.id, seenOrder(order));
  }
  const payments = new Map<string, string>();
  for await (const { status, metadata } of everyOf<ShownPayment>(look, "/v2/payments")) {
    marks.payment.add(metadata.deed ?? "without a mark");
    payments.set(metadata.deed ?? "without a mark", status);
  }
  const stock = await seeStock(look, shelves, marks.adjustment);
  return { marks, orders, payments, stock, ...(await seeEvents(look)) };
}

async function seeStock(
  look: Look,
  shelves: Shelves,
  adjustments: Tally,
): Promise<SeenShop["stock"]> {
  const path = `/v2/inventory/${shelves.countedId}/movements`;
  let adjusted = -shelves.countedBefore;
  for await (const movement of everyOf<ShownMovement>(look, path)) {
    adjusted += movement.delta_on_hand;
    if (movement.note !== null) adjustments.add(movement.note);
  }
  const sold: ShownLevel = JSON.parse(await look(`/v2/inventory/${shelves.soldId}`));
  const counted: ShownLevel = JSON.parse(await look(`/v2/inventory/${shelves.countedId}`));
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

async function seeEvents(look: Look): Promise<Pick<SeenShop, "announced" | "faults">> {
  const announced = new Tally();
  const faults: string[] = [];
  let after = 0;
  for (let hasMore = true; hasMore;) {
    const page: Page<ShownEvent> = JSON.parse(await look(`/v2/events?limit=100&after=${after}`));
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

async function* everyOf<T>(look: Look, path: string): AsyncGenerator<T> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const from: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page<T> = JSON.parse(await look(`${path}?limit=100${from}`));
    yield* page.data;
    cursor = page.has_more ? (page.next_cursor ?? null) : null;
  }
}
