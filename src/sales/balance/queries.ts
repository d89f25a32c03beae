// SQL of the units of lines. Guards are part of the statement that writes.

import { and, eq, sql } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import { preparedWrite } from "#platform/database/prepared.ts";
import type { OrderLine } from "#sales/orders/order.ts";
import { orderLines as lines } from "#sales/orders/tables.ts";

const fulfillLine = preparedWrite<{ orderId: string; position: number; quantity: number }>()(
  (tx, at) =>
    tx
      .update(lines)
      .set({ fulfilledQuantity: sql`${lines.fulfilledQuantity} + ${at.quantity}` })
      .where(
        and(
          eq(lines.orderId, at.orderId),
          eq(lines.position, at.position),
          sql`${lines.cancelledQuantity} + ${lines.fulfilledQuantity} + ${at.quantity} <= ${lines.quantity}`,
        ),
      )
      .returning({ id: lines.id }),
);
const addCredit = preparedWrite<{
  orderId: string;
  position: number;
  cancelled: number;
  returned: number;
}>()((tx, at) =>
  tx
    .update(lines)
    .set({
      cancelledQuantity: sql`${lines.cancelledQuantity} + ${at.cancelled}`,
      returnedQuantity: sql`${lines.returnedQuantity} + ${at.returned}`,
    })
    .where(
      and(
        eq(lines.orderId, at.orderId),
        eq(lines.position, at.position),
        sql`${lines.cancelledQuantity} + ${at.cancelled} + ${lines.fulfilledQuantity} <= ${lines.quantity}`,
        sql`${lines.returnedQuantity} + ${at.returned} <= ${lines.fulfilledQuantity}`,
      ),
    )
    .returning({ id: lines.id }),
);

/** Adds cancelled and returned units to a line; false, and nothing changes, if fewer are open or shipped. */
export async function creditLine(
  tx: Tx,
  line: Pick<OrderLine, "orderId" | "position">,
  units: { readonly cancelled: number; readonly returned: number },
): Promise<boolean> {
  const { orderId, position } = line;
  return (await addCredit(tx, { orderId, position, ...units })).length === 1;
}

/** Adds shipped units to a line; false, and nothing changes, if fewer are open. */
export async function fulfillUnits(
  tx: Tx,
  line: Pick<OrderLine, "orderId" | "position">,
  quantity: number,
): Promise<boolean> {
  const { orderId, position } = line;
  return (await fulfillLine(tx, { orderId, position, quantity })).length === 1;
}
