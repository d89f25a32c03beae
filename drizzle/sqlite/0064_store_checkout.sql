-- contract
ALTER TABLE `store` ADD `checkout` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE `store` SET `checkout` = '{' || CASE WHEN found.no_contact = 1 THEN '"contact":"none",' ELSE '' END || CASE WHEN found.no_address = 1 THEN '"address":"never",' ELSE '' END || CASE WHEN found.no_name = 1 THEN '"name":false,' ELSE '' END || '"isAssumed":true}'
FROM (
	SELECT
		max(CASE WHEN json_extract(o.customer, '$.email') IS NULL AND json_extract(o.customer, '$.phone') IS NULL THEN 1 ELSE 0 END) AS no_contact,
		max(CASE WHEN (
			json_extract(o.shipping_address, '$.line1') IS NULL OR json_extract(o.shipping_address, '$.city') IS NULL
			OR coalesce(json_extract(o.shipping_address, '$.country'), (SELECT country FROM `store`)) IS NULL
		) AND coalesce(o.breakdown, '') NOT LIKE '%"loc\_%' ESCAPE '\'
		AND EXISTS (SELECT 1 FROM `fulfillments` AS f WHERE f.order_id = o.id)
		AND EXISTS (
			SELECT 1 FROM `order_lines` AS l JOIN `variants` AS v ON v.id = l.variant_id
			WHERE l.order_id = o.id AND v.requires_shipping = 1
		) THEN 1 ELSE 0 END) AS no_address,
		max(CASE WHEN json_extract(o.customer, '$.name') IS NULL AND json_extract(o.shipping_address, '$.name') IS NULL THEN 1 ELSE 0 END) AS no_name
	FROM `orders` AS o
	WHERE o.is_from_public_key = 1 AND o.created_at >= (SELECT max(created_at) FROM `orders`) - 7776000000
	AND NOT EXISTS (SELECT 1 FROM `customers` AS c WHERE c.id = o.customer_id AND c.erased_at IS NOT NULL)
) AS found
WHERE found.no_contact + found.no_address + found.no_name > 0;
