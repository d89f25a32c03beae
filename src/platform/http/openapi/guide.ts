// What the documentation says before its first operation: the rules that hold for all of them.

export const guide = `
The logic of a shop behind JSON and REST.

**Keys.** Every request carries \`Authorization: Bearer <key>\`. A \`test_sk_…\` key opens the test shop, a
\`live_sk_…\` key the live one; the two share no data. A key has scopes; each operation names the one it needs.

**Refusals.** An error has the members of RFC 9457. Branch on \`code\`, which never changes; show \`detail\`; send
\`request_id\` when you ask for help. \`errors\` lists every fault at once, each with a JSON Pointer into the body.
\`retryable\` says whether the same request may succeed later. [All codes](/docs/errors)

**Retries.** Send an \`Idempotency-Key\` with a mutation and repeat it as often as you need: the effect happens
once, and every repetition is answered with the first answer, to the byte, for 96 hours. The comparison covers
method, path, query and body, not headers: with a new \`If-Match\` use a new key.

**Versions.** A resource has an integer \`version\` and an \`ETag\`. \`If-Match\` refuses to overwrite what changed since;
\`If-None-Match\` answers 304 while nothing did.

**Lists** are \`{data, has_more, next_cursor}\`, newest first. Pass \`next_cursor\` as \`cursor\` with the same filters.

**Money** is given as a number or a decimal string in major units, and answered with exactly the digits of its
currency. Integers in minor units stand beside totals. Nothing is ever rounded for you.

**Time** is ISO 8601 in UTC with milliseconds.

**Webhooks** are signed as Standard Webhooks has it and sent at least once: \`webhook-id\` is the event's id and the same on
every attempt. Answer 2xx within 15 seconds; else there are ten attempts over three days. \`GET /v2/events\` is the same
log to read by yourself, in order and without gaps, with \`wait\` for what comes.

**Limits.** 1,000 requests in any 60 seconds for a shop and mode; \`RateLimit\` headers tell what is left. Bodies are
strict JSON up to 1 MiB: no duplicate keys, no numbers that a double cannot hold as written.
`.trim();
