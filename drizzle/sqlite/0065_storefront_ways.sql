-- contract
UPDATE `store` SET `payment_methods` = json_patch(`payment_methods`, '{"mobile_money":{"storefront":true}}')
WHERE json_extract(`payment_methods`, '$.mobile_money.storefront') IS NULL
AND (json_extract(`payment_methods`, '$.mobile_money.by') = 'hand' OR `gateway_methods` NOT LIKE '%"mobile_money"%')
AND EXISTS (SELECT 1 FROM `orders` WHERE is_from_public_key = 1 AND payment_method = 'mobile_money');--> statement-breakpoint
UPDATE `store` SET `payment_methods` = json_patch(`payment_methods`, '{"cash_on_delivery":{"storefront":true}}')
WHERE json_extract(`payment_methods`, '$.cash_on_delivery.storefront') IS NULL
AND EXISTS (SELECT 1 FROM `orders` WHERE is_from_public_key = 1 AND payment_method = 'cash_on_delivery');--> statement-breakpoint
UPDATE `store` SET `payment_methods` = json_patch(`payment_methods`, '{"bank_transfer":{"storefront":true}}')
WHERE json_extract(`payment_methods`, '$.bank_transfer.storefront') IS NULL
AND EXISTS (SELECT 1 FROM `orders` WHERE is_from_public_key = 1 AND payment_method = 'bank_transfer');
