// Returns of shipped units; append-only.

import { defineKind } from "#kernel/id.ts";
import { foreignKey, json, money, primaryKey, text, time } from "#platform/database/kit.ts";
import { id, personal, plain, record, type RowOf } from "#platform/database/record.ts";
import { orders } from "#sales/orders/tables.ts";

import type { ReturnedLine, ReturnReason } from "./return-life.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    return: "ret";
  }
}
defineKind("return", "ret");

export const orderReturns = record(
  "order_returns",
  {
    orderId: id("order").notNull(),
    id: id("return").notNull(),
    lines: plain(json().$type<readonly ReturnedLine[]>().notNull()),
    reason: text().$type<ReturnReason>().notNull(),
    note: personal(text()),
    /** The money for these units that went back. */
    refundMinor: money().notNull(),
    /** The amount that was written off with this return. */
    writtenOffMinor: money().notNull(),
    /** The order that takes the credit; orders are never deleted. */
    exchangeOrderId: id("order"),
    createdAt: time().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.orderId, row.id] }),
    foreignKey({ columns: [row.orderId], foreignColumns: [orders.id] }),
  ],
);

export type ReturnRow = RowOf<typeof orderReturns>;
