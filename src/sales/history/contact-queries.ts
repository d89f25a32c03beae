// SQL of the orders that were placed with a contact.

import { and, desc, eq, isNotNull, lt } from "drizzle-orm";

import type { Contact } from "#customers/customer.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { preparedByFilters } from "#platform/database/prepared.ts";
import type { Order } from "#sales/orders/order.ts";
import { orders } from "#sales/orders/tables.ts";

interface OfContact {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly after?: string | undefined;
  readonly rows: number;
}

/** Each of the two follows its own index. */
const ordersOf = preparedByFilters<OfContact>()((db, given) =>
  db
    .select()
    .from(orders)
    .where(
      and(
        given.has("email")
          ? and(eq(orders.contactEmail, given.one("email")), isNotNull(orders.contactEmail))
          : and(eq(orders.contactPhone, given.one("phone")), isNotNull(orders.contactPhone)),
        given.has("after") ? lt(orders.id, given.one("after")) : undefined,
      ),
    )
    .orderBy(desc(orders.id))
    .limit(given.one("rows")),
);

/** Orders that were placed with the email or the phone, newest first: one row more than the page holds. */
export async function findOrdersOfContact(
  db: Reader,
  { email, phone }: Contact,
  page: PageRequest,
): Promise<Order[]> {
  const values = { after: page.after ?? undefined, rows: page.limit + 1 };
  const byEmail = email === null ? [] : await ordersOf(db, { ...values, email });
  const byPhone = phone === null ? [] : await ordersOf(db, { ...values, phone });
  const found = new Map([...byEmail, ...byPhone].map((order) => [order.id, order]));
  return [...found.values()]
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, values.rows);
}
