// Counts of what waits for the merchant, on the wire.

import Type from "typebox";

import { abuseKinds } from "#kernel/abuse.ts";
import type { Counted } from "#kernel/page.ts";
import type { OpenDisputes } from "#payments/rows/lookups.ts";
import {
  added,
  at,
  described,
  inBothUnits,
  list,
  orNull,
  shape,
  wire,
} from "#platform/http/contract/wire.ts";
import { choice, currency, line, nullable, whole } from "#platform/http/contract/words.ts";
import type { LeftCarts } from "#sales/carts/lookups.ts";
import type { ToPack } from "#sales/history/list-orders.ts";
import { MARKS_MAX, type Refused } from "#shop/marks/lookups.ts";

import { COUNT_MAX, type LowStock, NAMES_MAX, type Waiting } from "./read-waiting.ts";

const counted = {
  count: whole(0, COUNT_MAX),
  more: Type.Boolean({ description: "Whether there are more than were counted." }),
};

const countShape = shape<Counted>()(counted, { name: "Count" });
const countOf = (sentence: string) => described(countShape, sentence);
const countOrNull = (sentence: string) => described(orNull(countShape), sentence);

export const waitingWire = wire<Waiting>()("Waiting", {
  to_pack: shape<ToPack>()(
    { ...counted, oldest_at: orNull(at) },
    { description: "The orders of `to_pack=true`, and when the oldest of them was placed." },
  ),
  short_orders: added(
    countOf(
      "Orders that were paid, and owe something again since a payment of them was corrected to less.",
    ),
  ),
  payments_in_review: countOrNull("Payments of the status `review`."),
  late_transfers: added(
    countOrNull(
      "Payments by hand that wait for their money for more than 24 hours, but those that are made in person.",
    ),
  ),
  refunds_attention: countOrNull("Refunds of the status `failed` or `needs_attention`."),
  refunds_approval: added(countOrNull("Refunds of the status `needs_approval`.")),
  open_disputes: orNull(
    shape<OpenDisputes>()(
      { ...counted, due_at: orNull(at) },
      {
        description:
          "Disputes of the status `warning` or `open`, and until when the first of them can be answered.",
      },
    ),
  ),
  low_stock: orNull(
    shape<LowStock>()(
      { ...counted, names: nullable(Type.Array(Type.String(), { maxItems: NAMES_MAX })) },
      {
        description:
          "Variants below their threshold; the names of the newest need `products:read` as well.",
      },
    ),
  ),
  left_carts: orNull(
    shape<LeftCarts>()(
      { ...counted, currency, ...inBothUnits("worth", (left: LeftCarts) => left.worthMinor) },
      {
        description:
          "Abandoned carts. `worth` is what the goods cost when each cart last changed, of the counted carts in the shop's currency.",
      },
    ),
  ),
  failed_emails: countOf(
    "Emails to customers of the last seven days that the mail server refused, or took in no attempt.",
  ),
  failing_webhooks: countOrNull(
    "Webhooks whose last delivery failed, and those that Duka disabled.",
  ),
  withheld_codes: countOf(
    "Codes of the last 24 hours that were not sent because of `limits.email_codes_per_day` or `limits.phone_codes_per_day`.",
  ),
  abuse: added(
    orNull({
      ...list(
        shape<Refused>()(
          {
            kind: choice(abuseKinds),
            network: nullable(line(64)),
            count: whole(1),
            since: at,
          },
          {
            description:
              "What limits refused of a kind. `network` is the /24 (IPv4) or /48 (IPv6) of who asked, null where none is kept; `since` is when the first hour of them began.",
          },
        ),
        {
          maxItems: MARKS_MAX,
          description:
            "What limits against abuse refused in the last 24 hours, as of a minute ago: the network with most of each kind, then the second of each.",
        },
      ),
    }),
  ),
});
