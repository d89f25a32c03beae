CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`actor` text NOT NULL,
	`actor_name` text,
	`action` text NOT NULL,
	`subject` text,
	`changed_fields` text NOT NULL,
	`before` text,
	`after` text,
	`request_id` text,
	`client_network` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_entries_actor_index` ON `audit_entries` (`actor`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_action_index` ON `audit_entries` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_subject_index` ON `audit_entries` (`subject`,`id`) WHERE subject IS NOT NULL;--> statement-breakpoint
CREATE INDEX `audit_entries_network_index` ON `audit_entries` (`id`) WHERE client_network IS NOT NULL;--> statement-breakpoint
-- An id has the instant of its entry in its first ten digits. The rest of the key's id tells the entries apart.
INSERT INTO `audit_entries` (id, actor, actor_name, action, subject, changed_fields, created_at)
SELECT 'aud_' ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 35184372088832 % 32 AS integer) + 1, 1) ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 1099511627776 % 32 AS integer) + 1, 1) ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 34359738368 % 32 AS integer) + 1, 1) ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 1073741824 % 32 AS integer) + 1, 1) ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 33554432 % 32 AS integer) + 1, 1) ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 1048576 % 32 AS integer) + 1, 1) ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 32768 % 32 AS integer) + 1, 1) ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 1024 % 32 AS integer) + 1, 1) ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 32 % 32 AS integer) + 1, 1) ||
    substr('0123456789abcdefghjkmnpqrstvwxyz', CAST(created_at / 1 % 32 AS integer) + 1, 1) ||
    CASE action WHEN 'created' THEN '0' ELSE '1' END || substr(key_id, 16),
  coalesce(json_extract(actor, '$.id'), json_extract(actor, '$.type')),
  (SELECT name FROM api_keys WHERE api_keys.id = json_extract(actor, '$.id')),
  CASE json_extract(actor, '$.type')
    WHEN 'operator' THEN CASE action WHEN 'created' THEN 'keys create' ELSE 'keys revoke' END
    WHEN 'system' THEN CASE action WHEN 'created' THEN 'createFirstKey' ELSE 'revokeKey' END
    ELSE CASE action WHEN 'created' THEN 'createKey' ELSE 'revokeKey' END
  END,
  key_id, '[]', created_at
FROM `api_key_changes`;
--> statement-breakpoint
DROP TABLE `api_key_changes`;
