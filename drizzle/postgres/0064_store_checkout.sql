-- contract
ALTER TABLE "store" ADD COLUMN "checkout" text COLLATE "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "store" SET "checkout" = '{' || CASE WHEN found.no_contact = 1 THEN '"contact":"none",' ELSE '' END || CASE WHEN found.no_address = 1 THEN '"address":"never",' ELSE '' END || CASE WHEN found.no_name = 1 THEN '"name":false,' ELSE '' END || '"isAssumed":true}'
FROM (
	SELECT
		max(CASE WHEN (o.customer::json ->> 'email') IS NULL AND (o.customer::json ->> 'phone') IS NULL THEN 1 ELSE 0 END) AS no_contact,
		max(CASE WHEN (
			(o.shipping_address::json ->> 'line1') IS NULL OR (o.shipping_address::json ->> 'city') IS NULL
			OR coalesce((o.shipping_address::json ->> 'country'), (SELECT country FROM "store")) IS NULL
		) AND coalesce(o.breakdown, '') NOT LIKE '%"loc\_%' ESCAPE '\'
		AND EXISTS (SELECT 1 FROM "fulfillments" AS f WHERE f.order_id = o.id)
		AND EXISTS (
			SELECT 1 FROM "order_lines" AS l JOIN "variants" AS v ON v.id = l.variant_id
			WHERE l.order_id = o.id AND v.requires_shipping
		) THEN 1 ELSE 0 END) AS no_address,
		max(CASE WHEN (o.customer::json ->> 'name') IS NULL AND (o.shipping_address::json ->> 'name') IS NULL THEN 1 ELSE 0 END) AS no_name
	FROM "orders" AS o
	WHERE o.is_from_public_key AND o.created_at >= (SELECT max(created_at) FROM "orders") - 7776000000
	AND NOT EXISTS (SELECT 1 FROM "customers" AS c WHERE c.id = o.customer_id AND c.erased_at IS NOT NULL)
) AS found
WHERE found.no_contact + found.no_address + found.no_name > 0;
