-- contract
UPDATE "store" SET "payment_methods" = ("payment_methods"::jsonb || jsonb_build_object('mobile_money', coalesce("payment_methods"::jsonb -> 'mobile_money', '{}'::jsonb) || '{"storefront":true}'::jsonb))::text
WHERE ("payment_methods"::json #>> '{mobile_money,storefront}') IS NULL
AND (("payment_methods"::json #>> '{mobile_money,by}') = 'hand' OR "gateway_methods" NOT LIKE '%"mobile_money"%')
AND EXISTS (SELECT 1 FROM "orders" WHERE is_from_public_key AND payment_method = 'mobile_money');--> statement-breakpoint
UPDATE "store" SET "payment_methods" = ("payment_methods"::jsonb || jsonb_build_object('cash_on_delivery', coalesce("payment_methods"::jsonb -> 'cash_on_delivery', '{}'::jsonb) || '{"storefront":true}'::jsonb))::text
WHERE ("payment_methods"::json #>> '{cash_on_delivery,storefront}') IS NULL
AND EXISTS (SELECT 1 FROM "orders" WHERE is_from_public_key AND payment_method = 'cash_on_delivery');--> statement-breakpoint
UPDATE "store" SET "payment_methods" = ("payment_methods"::jsonb || jsonb_build_object('bank_transfer', coalesce("payment_methods"::jsonb -> 'bank_transfer', '{}'::jsonb) || '{"storefront":true}'::jsonb))::text
WHERE ("payment_methods"::json #>> '{bank_transfer,storefront}') IS NULL
AND EXISTS (SELECT 1 FROM "orders" WHERE is_from_public_key AND payment_method = 'bank_transfer');
