CREATE TABLE "order_returns" (
	"order_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"lines" text COLLATE "C" NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"note" text COLLATE "C",
	"refund_minor" bigint NOT NULL,
	"written_off_minor" bigint NOT NULL,
	"exchange_order_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	CONSTRAINT "order_returns_order_id_id_pk" PRIMARY KEY("order_id","id")
);
--> statement-breakpoint
ALTER TABLE "order_lines" DROP CONSTRAINT "order_lines_fulfilled_within_quantity";--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "cancelled_quantity" integer NOT NULL DEFAULT 0;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "returned_quantity" integer NOT NULL DEFAULT 0;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "credited_minor" bigint NOT NULL DEFAULT 0;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "kept_minor" bigint NOT NULL DEFAULT 0;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "written_off_minor" bigint NOT NULL DEFAULT 0;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "sale_total_minor" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refunding_minor" bigint NOT NULL DEFAULT 0;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payments_in_review" integer NOT NULL DEFAULT 0;--> statement-breakpoint
-- Units that refunds put back on the shelf have come back. Nothing of a cancelled order had shipped.
UPDATE order_lines SET returned_quantity = least(fulfilled_quantity, restocked.units)
FROM (
  SELECT refunds.order_id, line.value ->> 'lineItemId' AS line_id, sum((line.value ->> 'restocked')::integer) AS units
  FROM refunds, jsonb_array_elements(refunds.lines::jsonb) AS line
  WHERE refunds.status = 'succeeded' AND refunds.order_id IS NOT NULL
  GROUP BY refunds.order_id, line_id
) AS restocked
WHERE restocked.order_id = order_lines.order_id AND restocked.line_id = order_lines.id;
--> statement-breakpoint
UPDATE order_lines SET cancelled_quantity = quantity - fulfilled_quantity
FROM orders WHERE orders.id = order_lines.order_id AND orders.status = 'cancelled';
--> statement-breakpoint
-- Discounts and taxes were zero until now, so a unit's share is its price.
WITH figured AS (
  SELECT orders.*,
    (SELECT coalesce(sum(unit_price_minor * (cancelled_quantity + returned_quantity)), 0) FROM order_lines WHERE order_id = orders.id)
      + CASE status WHEN 'cancelled' THEN shipping_minor ELSE 0 END AS credited,
    (SELECT coalesce(sum(least(refunding_minor, captured_minor)), 0) FROM payments WHERE order_id = orders.id AND order_id IS NOT NULL AND status IN ('succeeded', 'partially_refunded', 'refunded')) AS refunding,
    (SELECT count(*) FROM payments WHERE order_id = orders.id AND order_id IS NOT NULL AND status = 'review') AS reviews
  FROM orders
), keeping AS (
  -- What a cancelled order still has was kept, unless its refund waits to be opened.
  SELECT figured.*,
    CASE WHEN credited > 0 AND NOT EXISTS (SELECT 1 FROM timers WHERE name = 'refund_cancelled_order' AND subject = figured.id)
      THEN greatest(0, paid_minor - refunding - (total_minor - credited)) ELSE 0 END AS kept
  FROM figured
), owing AS (
  SELECT keeping.*,
    paid_minor - refunding AS net,
    total_minor - credited + kept AS owed,
    CASE WHEN paid_at IS NOT NULL OR status = 'cancelled' THEN 0
      ELSE greatest(0, total_minor - credited + kept - (paid_minor - refunding)) END AS due
  FROM keeping
)
UPDATE orders SET credited_minor = owing.credited, kept_minor = owing.kept, refunding_minor = owing.refunding,
  payments_in_review = owing.reviews, sale_total_minor = CASE WHEN owing.paid_at IS NULL THEN NULL ELSE owing.total_minor END,
  payment_status = CASE
    WHEN owing.due > 0 AND owing.reviews > 0 THEN 'review'
    WHEN owing.due > 0 AND owing.net > 0 THEN 'partially_paid'
    WHEN owing.due > 0 AND owing.open_attempts > 0 THEN 'pending'
    WHEN owing.due > 0 THEN 'unpaid'
    WHEN owing.paid_minor = 0 AND owing.paid_at IS NOT NULL THEN 'paid'
    WHEN owing.paid_minor = 0 AND owing.reviews > 0 THEN 'review'
    WHEN owing.paid_minor = 0 THEN 'unpaid'
    WHEN owing.refunded_minor = owing.paid_minor THEN 'refunded'
    WHEN owing.net > owing.owed THEN 'overpaid'
    WHEN owing.refunded_minor > 0 THEN 'partially_refunded'
    ELSE 'paid' END
FROM owing WHERE owing.id = orders.id;
--> statement-breakpoint
ALTER TABLE "order_lines" ALTER COLUMN "cancelled_quantity" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "order_lines" ALTER COLUMN "returned_quantity" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "credited_minor" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "kept_minor" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "written_off_minor" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "refunding_minor" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "payments_in_review" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "order_returns" ADD CONSTRAINT "order_returns_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_open_not_negative" CHECK ("order_lines"."cancelled_quantity" >= 0 AND "order_lines"."fulfilled_quantity" >= 0 AND "order_lines"."cancelled_quantity" + "order_lines"."fulfilled_quantity" <= "order_lines"."quantity");--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_returned_within_fulfilled" CHECK ("order_lines"."returned_quantity" BETWEEN 0 AND "order_lines"."fulfilled_quantity");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refunding_within_paid" CHECK ("orders"."refunding_minor" BETWEEN "orders"."refunded_minor" AND "orders"."paid_minor");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_credited_within_total" CHECK ("orders"."credited_minor" BETWEEN 0 AND "orders"."total_minor");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_owed_not_negative" CHECK ("orders"."kept_minor" >= 0 AND "orders"."written_off_minor" BETWEEN 0 AND "orders"."total_minor" - "orders"."credited_minor" + "orders"."kept_minor");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_payments_in_review_not_negative" CHECK ("orders"."payments_in_review" >= 0);