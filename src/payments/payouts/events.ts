// The events of payouts.

import Type from "typebox";

import { payoutWire } from "#payments/rows/payout-schema.ts";
import type { Payout } from "#payments/rows/payout.ts";
import type { Announcement } from "#platform/database/database.ts";
import { declareEvents } from "#platform/http/contract/event.ts";
import { amountOf, from, shape } from "#platform/http/contract/wire.ts";
import { currency, idOf, whole } from "#platform/http/contract/words.ts";

interface PayoutNews extends Payout {
  /** True of a payout that fails after it was paid. */
  readonly wasPaid: boolean;
  readonly unknownMinor: number;
}

const declared = declareEvents(
  shape<PayoutNews>()(
    {
      id: idOf("payout"),
      payout_id: from((payout: PayoutNews) => payout.id, idOf("payout")),
      source: Type.String(),
      currency,
      net: amountOf((payout: PayoutNews) => payout.netMinor),
      net_minor: whole(),
      was_paid: Type.Boolean({ description: "Whether it had arrived before it failed." }),
      unknown_total: amountOf((payout: PayoutNews) => payout.unknownMinor),
      unknown_total_minor: from(
        (payout: PayoutNews) => payout.unknownMinor,
        whole(undefined, undefined, {
          description: "The sum of the lines of which the shop knows nothing.",
        }),
      ),
      payout: from((payout: PayoutNews): Payout => payout, payoutWire),
    },
    { name: "PayoutNews" },
  ),
  ["payout.paid", "payout.failed"],
);

export const payoutEvents = declared.payloads;

/** Builds the event of a payout; it is its own subject. */
export function payoutMoved(name: string, news: PayoutNews): Announcement {
  return declared.announce(name, news.id, news);
}
