// A shop of the schema 0018 with API keys, payments and stored answers, as statements for both engines, and the
// lineages that they have by the schema 0019.

const payment = (id: string, orderId: string | null, key: string | null) =>
  `INSERT INTO payments (id, reference, status, order_id, method, attempt_number, amount_minor, currency,
     captured_minor, refunding_minor, refunded_minor, is_unknown, not_found_looks, looked_at, metadata,
     idempotency_key, fingerprint, version, created_at, updated_at)
   VALUES ('${id}', '${id}', 'pending', ${quoted(orderId)}, 'cash', 1, 500, 'USD', 0, 0, 0, FALSE, 0, 1, '{}',
     ${quoted(key)}, 'print', 1, 1, 1)`;

const initialized = (sequence: number, paymentId: string, actor: object) =>
  `INSERT INTO events (id, sequence, name, subject, actor, data, created_at)
   VALUES ('evt_${sequence}', ${sequence}, 'payment.initialized', '${paymentId}', '${JSON.stringify(actor)}',
     '${JSON.stringify({ payment_id: paymentId })}', 1)`;

export const shopOf0018: readonly string[] = [
  `INSERT INTO api_keys (id, hash, display, name, scopes, created_at)
   VALUES ('key_a', 'hash', 'test_sk_…aaaa', 'Backend', '["full"]', 1)`,
  `INSERT INTO api_key_changes (id, key_id, action, actor, created_at)
   VALUES ('key_a/created', 'key_a', 'created', '{"type":"operator","id":null}', 1)`,
  payment("pay_by_key", null, "basket"),
  payment("pay_by_page", null, null),
  initialized(1, "pay_by_key", { type: "api_key", id: "key_a" }),
  initialized(2, "pay_by_page", { type: "system", id: null }),
  `INSERT INTO stored_answers (key, fingerprint, status, headers, body, about, created_at)
   VALUES ('basket', 'print', 201, '{}', '{}', 'ord_1', 1)`,
];

export const LINEAGES = `SELECT id, lineage FROM payments
  UNION ALL SELECT key || ' of ' || about, lineage FROM stored_answers
  UNION ALL SELECT created_by, lineage FROM api_keys`;

export const lineages = {
  pay_by_key: ["key_a"],
  pay_by_page: [""],
  "basket of ord_1": [""],
  '{"type":"operator","id":null}': ["key_a"],
};

function quoted(text: string | null): string {
  return text === null ? "NULL" : `'${text}'`;
}
