// The table of disputes.

import type { CurrencyCode } from "#kernel/currency.ts";
import { defineKind } from "#kernel/id.ts";
import { payments } from "#payments/payments/tables.ts";
import { foreignKey, index, money, text, time, uniqueIndex } from "#platform/database/kit.ts";
import { id, plain, record, type RowOf, stamps } from "#platform/database/record.ts";

import type { DisputedMoney, DisputeStatus } from "./dispute-life.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    dispute: "dsp";
  }
}
defineKind("dispute", "dsp");

/** A row per dispute, as its gateway tells. */
export const disputes = record(
  "disputes",
  {
    id: id("dispute").primaryKey(),
    paymentId: id("payment").notNull(),
    orderId: id("order"),
    gateway: plain(text().notNull()),
    /** The gateway's name of it. */
    name: plain(text().notNull()),
    status: text().$type<DisputeStatus>().notNull(),
    amountMinor: money().notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    /** In the gateway's word, such as `fraudulent`. */
    reason: plain(text()),
    money: text().$type<DisputedMoney>().notNull(),
    /** Until when the merchant may answer; null where the gateway does not say. */
    dueAt: time(),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("disputes_name_unique").on(row.gateway, row.name),
    index("disputes_payment_index").on(row.paymentId, row.id),
    index("disputes_status_index").on(row.status, row.id),
    foreignKey({ columns: [row.paymentId], foreignColumns: [payments.id] }),
  ],
);

export type DisputeRow = RowOf<typeof disputes>;
