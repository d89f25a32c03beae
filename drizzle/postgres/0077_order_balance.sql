-- contract
ALTER TABLE "orders" DROP CONSTRAINT "orders_owed_not_negative";--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "sale_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "kept_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "kept_apart_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "sale_refunding_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "kept_refunding_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "due_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_short_index" ON "orders" USING btree ("id") WHERE due_minor > 0 AND paid_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_kept_apart_within_kept" CHECK ("orders"."kept_apart_minor" BETWEEN 0 AND "orders"."kept_minor");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refunding_within_kept_apart" CHECK ("orders"."kept_refunding_minor" BETWEEN 0 AND "orders"."kept_apart_minor");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refunding_within_sale" CHECK ("orders"."sale_refunding_minor" BETWEEN 0 AND coalesce("orders"."sale_total_minor", 0));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_owed_not_negative" CHECK ("orders"."written_off_minor" >= 0 AND "orders"."due_minor" >= 0);--> statement-breakpoint
-- The part of the sale of each refund of before: by the figures that its order told last, the oldest first, named parts
-- whole, and those that are done before others. A failed one is of the sale if it was not of late money.
UPDATE refunds SET sale_minor = of_sale.part_minor FROM (
  SELECT id, least(sale_minor, wanted_to) - least(sale_minor, wanted_to - wanted) AS part_minor FROM (
    SELECT id, sale_minor, wanted, sum(wanted) OVER (PARTITION BY order_id ORDER BY is_open, id) AS wanted_to FROM (
      SELECT id, order_id, sale_minor, is_open,
        named + greatest(0, unnamed_to - beyond) - greatest(0, unnamed_to - unnamed - beyond) AS wanted
      FROM (
        SELECT id, order_id, sale_minor, is_open, named, unnamed,
          sum(unnamed) OVER (PARTITION BY order_id ORDER BY is_open, id) AS unnamed_to,
          greatest(0, came - sum(late) OVER (PARTITION BY order_id)) AS beyond
        FROM (
          SELECT refunds.id, refunds.order_id, orders.sale_total_minor AS sale_minor,
            orders.paid_minor - orders.sale_total_minor + orders.written_off_minor AS came,
            CASE WHEN refunds.status IN ('succeeded', 'closed') THEN 0 ELSE 1 END AS is_open,
            refunds.named_minor AS named,
            CASE WHEN refunds.is_automatic THEN refunds.amount_minor ELSE 0 END AS late,
            CASE WHEN refunds.is_automatic THEN 0 ELSE refunds.amount_minor - refunds.named_minor END AS unnamed
          FROM refunds
          JOIN orders ON orders.id = refunds.order_id
          JOIN payments ON payments.id = refunds.payment_id
          WHERE orders.sale_total_minor IS NOT NULL AND payments.captured_minor > 0
            AND refunds.status NOT IN ('failed', 'cancelled')
            AND NOT (refunds.is_external AND coalesce(refunds.gateway_code, '') = 'refund_exceeds_captured')
        ) AS counted
      ) AS summed
    ) AS claimed
  ) AS running
) AS of_sale WHERE refunds.id = of_sale.id AND of_sale.part_minor > 0;--> statement-breakpoint
UPDATE refunds SET sale_minor = amount_minor WHERE status IN ('failed', 'cancelled') AND NOT is_automatic
  AND order_id IN (SELECT id FROM orders WHERE sale_total_minor IS NOT NULL);--> statement-breakpoint
UPDATE orders SET sale_refunding_minor = of_order.sale_minor FROM (
  SELECT order_id, sum(sale_minor) AS sale_minor FROM refunds
  WHERE order_id IS NOT NULL AND status NOT IN ('failed', 'cancelled') GROUP BY order_id
) AS of_order WHERE orders.id = of_order.order_id AND of_order.sale_minor > 0;--> statement-breakpoint
-- Money that came later let refunds of credited units seem to be of it: they are of the sale, the newest first.
UPDATE refunds SET sale_minor = refunds.sale_minor + of_units.part_minor FROM (
  SELECT id, least(room, missing - room_to + room) AS part_minor FROM (
    SELECT refunds.id, refunds.amount_minor - refunds.sale_minor AS room,
      orders.sale_total_minor - orders.total_minor + orders.credited_minor - orders.kept_minor
        - orders.sale_refunding_minor AS missing,
      sum(refunds.amount_minor - refunds.sale_minor) OVER (
        PARTITION BY refunds.order_id ORDER BY refunds.status NOT IN ('succeeded', 'closed') DESC, refunds.id DESC
      ) AS room_to
    FROM refunds
    JOIN orders ON orders.id = refunds.order_id
    JOIN payments ON payments.id = refunds.payment_id
    WHERE payments.captured_minor > 0 AND NOT refunds.is_automatic
      AND refunds.status NOT IN ('failed', 'cancelled')
      AND NOT (refunds.is_external AND coalesce(refunds.gateway_code, '') = 'refund_exceeds_captured')
      AND orders.sale_total_minor > orders.total_minor - orders.credited_minor + orders.kept_minor + orders.sale_refunding_minor
      AND orders.paid_minor - orders.refunding_minor
        > orders.total_minor - orders.credited_minor + orders.kept_minor - orders.written_off_minor
  ) AS with_room
) AS of_units WHERE refunds.id = of_units.id AND of_units.part_minor > 0;--> statement-breakpoint
UPDATE orders SET sale_refunding_minor = of_order.sale_minor FROM (
  SELECT order_id, sum(sale_minor) AS sale_minor FROM refunds
  WHERE order_id IS NOT NULL AND status NOT IN ('failed', 'cancelled') GROUP BY order_id
) AS of_order WHERE orders.id = of_order.order_id AND of_order.sale_minor > 0;--> statement-breakpoint
-- The money that was kept before there was a sale: what leaves as much overpaid as before.
UPDATE orders SET kept_apart_minor = CASE WHEN sale_total_minor IS NULL THEN kept_minor ELSE
  least(kept_minor, greatest(0, paid_minor - refunding_minor + sale_refunding_minor + written_off_minor - sale_total_minor
    - greatest(0, paid_minor - refunding_minor - total_minor + credited_minor - kept_minor + written_off_minor))) END
WHERE kept_minor > 0;--> statement-breakpoint
-- Of a sold order it is what a corrected payment had forgiven.
UPDATE orders SET due_minor = greatest(0, CASE WHEN sale_total_minor IS NULL THEN total_minor - credited_minor
    ELSE sale_total_minor - sale_refunding_minor END
  + kept_apart_minor - written_off_minor - paid_minor + refunding_minor)
WHERE status <> 'cancelled' AND (sale_total_minor IS NULL OR refunding_minor > 0 OR kept_minor > 0
  OR paid_minor < sale_total_minor - written_off_minor);--> statement-breakpoint
UPDATE orders SET payment_status = CASE
  WHEN due_minor > 0 AND payments_in_review > 0 THEN 'review'
  WHEN due_minor > 0 AND paid_minor > refunding_minor THEN 'partially_paid'
  WHEN due_minor > 0 AND open_attempts > 0 THEN 'pending'
  WHEN due_minor > 0 THEN 'unpaid'
  WHEN refunded_minor = paid_minor THEN 'refunded'
  WHEN paid_minor - refunding_minor > sale_total_minor - sale_refunding_minor + kept_apart_minor - written_off_minor
    THEN 'overpaid'
  WHEN refunded_minor > 0 THEN 'partially_refunded'
  ELSE 'paid' END
WHERE sale_total_minor IS NOT NULL AND paid_minor > 0 AND (due_minor > 0 OR payment_status = 'overpaid');