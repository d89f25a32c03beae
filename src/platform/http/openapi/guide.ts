// The introduction of the API reference: the rules that all operations share.

export const guide = `
The logic of a shop as a JSON API.

**Guides** lead through a storefront, payments, webhooks and operations, with requests and their answers. [All guides](/guides)

**Keys.** Every request carries \`Authorization: Bearer <key>\`. A \`test_sk_…\` key belongs to the test shop, a
\`live_sk_…\` key to the live shop; the two share no data. A key has scopes; each operation names the one it needs.

**Errors** have the members of RFC 9457. Branch on \`code\`, which never changes; show \`detail\`; quote
\`request_id\` in support requests. \`errors\` lists every fault at once, each with a JSON Pointer into the body.
\`retryable\` says whether the same request may succeed later. [All codes](/docs/errors)

**Retries.** Send an \`Idempotency-Key\` with every mutation. Its effect happens once; for 96 hours (24 with a
publishable key) every retry gets the first response, byte for byte. A retry has the same method, path, query and body. Headers are not compared:
use a new key with a new \`If-Match\`.

**Versions.** A resource has an integer \`version\` and an \`ETag\`. \`If-Match\` refuses to overwrite a newer version;
\`If-None-Match\` gives 304 while nothing has changed.

Every answer has the server's version in \`X-Duka-Version\`.

**Lists** are \`{data, has_more, next_cursor}\`, newest first. Pass \`next_cursor\` as \`cursor\` with the same filters.

**Money** is a number or a decimal string in major units in requests, and a number with exactly the digits of its
currency in responses. Totals are also given as integers in minor units. Amounts are never rounded.

**Time** is ISO 8601 in UTC with milliseconds.

**Webhooks** follow Standard Webhooks and are delivered at least once: \`webhook-id\` is the event's id, the same on
every attempt. Respond with 2xx within 15 seconds; otherwise the delivery is attempted ten times over three days.
\`GET /v2/events\` reads the same events in order and without gaps; \`wait\` waits for new ones.

**Limits.** 1,000 requests in any 60 seconds for a shop and mode; \`RateLimit\` headers give the remaining quota. Bodies are
strict JSON up to 1 MiB: no duplicate keys, no numbers that a double cannot hold as written.
`.trim();
