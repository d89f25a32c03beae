// A retry never repeats an effect, and returns the first answer byte for byte.

import { beforeEach, describe, expect, test } from "bun:test";

import { tamper } from "../support/behind-the-shop.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import {
  type Answered,
  openTestShop,
  type RequestOptions,
  sharedShop,
  type TestShop,
} from "../support/shop.ts";

const shop = sharedShop();

/** A customer and an idempotency key of each test. */
let ada: Readonly<Record<string, unknown>>;
let onceKey: string;

beforeEach(() => {
  const number = shop.nextNumber();
  ada = { email: `ada${number}@example.com`, name: "Ada", metadata: { a: 1, b: [1, 2] } };
  onceKey = `once-${number}`;
});

function once(to: TestShop, body: unknown, options: RequestOptions = {}): Promise<Answered> {
  const headers = { "Idempotency-Key": onceKey, ...options.headers };
  return to.post("/v2/customers", body, { ...options, headers });
}

function isReplay(answer: Answered): boolean {
  return answer.headers.get("idempotent-replayed") === "true";
}

/** What a replay has in common with the first answer. */
function kept({ status, headers, text }: Answered): unknown[] {
  return [status, text, headers.get("location"), headers.get("etag")];
}

describe("a retry", () => {
  test("returns the same bytes and has no effect", async () => {
    const first = await once(shop, ada);
    const retried = await once(shop, ada);

    expect([first.status, isReplay(first)]).toEqual([201, false]);
    expect(kept(retried)).toEqual(kept(first));
    expect(isReplay(retried)).toBeTrue();
    expect(await shop.announcedNames()).toEqual(["customer.created"]);
  });

  test("has its own request id, in the header only", async () => {
    await once(shop, ada, { headers: { "X-Request-Id": "first" } });

    const retried = await once(shop, ada, { headers: { "X-Request-Id": "second" } });

    expect(retried.headers.get("x-request-id")).toBe("second");
  });

  test("of a refused request is refused with the same bytes", async () => {
    await shop.post("/v2/customers", ada);

    const first = await once(shop, ada);
    const retried = await once(shop, ada);

    expect([first.status, first.code]).toEqual([409, "customer_exists"]);
    expect(kept(retried)).toEqual(kept(first));
    expect([isReplay(first), isReplay(retried)]).toEqual([false, true]);
  });

  test("of a refused request is refused even if it would succeed by now", async () => {
    const made = await shop.post("/v2/customers", ada);
    await once(shop, ada);
    await shop.delete(`/v2/customers/${made.id}`);

    expect((await once(shop, ada)).code).toBe("customer_exists");
  });

  test("of a missing resource is not found again", async () => {
    const path = "/v2/customers/cus_01h455vb4pex5vsknk084sn02q";
    const headers = { "Idempotency-Key": onceKey };
    const first = await shop.put(path, { name: "Ada" }, { headers });

    const retried = await shop.put(path, { name: "Ada" }, { headers });

    expect(kept(retried)).toEqual(kept(first));
    expect([first.status, isReplay(retried)]).toEqual([404, true]);
  });

  test("of a deletion is as empty as the first answer", async () => {
    const made = await shop.post("/v2/customers", ada);
    const headers = { "Idempotency-Key": "gone" };
    await shop.delete(`/v2/customers/${made.id}`, { headers });

    const retried = await shop.delete(`/v2/customers/${made.id}`, { headers });

    expect([retried.status, retried.text, isReplay(retried)]).toEqual([204, "", true]);
  });

  test("may format its body differently", async () => {
    await once(shop, ada);
    const text = ` { "metadata" : {"b": [1.0, 2e0], "a": 1}, "name":"\\u0041da",
      "email" : "${String(ada["email"])}" } `;

    const retried = await shop.send("POST", "/v2/customers", {
      text,
      headers: { "Idempotency-Key": onceKey },
    });

    expect(isReplay(retried)).toBeTrue();
  });

  test("may quote its key", async () => {
    await once(shop, ada);

    expect(
      isReplay(await once(shop, ada, { headers: { "Idempotency-Key": `"${onceKey}"` } })),
    ).toBeTrue();
  });

  test("may use the API key that replaces the first", async () => {
    await using own = await openTestShop();
    const first = await once(own, ada);
    const [replaced] = (await own.get("/v2/keys")).list("/data");
    const key = await own.createKey({ name: "New", replaces: String(Object(replaced).id) });

    expect(kept(await once(own, ada, { key }))).toEqual(kept(first));
  });

  test("after a restart returns the same bytes", async () => {
    using folder = openScratchFolder();
    let first: Answered;
    let key: string;
    {
      await using own = await openTestShop({ folder });
      first = await once(own, ada);
      ({ key } = own);
    }
    await using own = await openTestShop({ folder });

    const retried = await once(own, ada, { key });

    expect(kept(retried)).toEqual(kept(first));
    expect(isReplay(retried)).toBeTrue();
    expect(await own.announcedNames()).toEqual([]);
  });

  test("does not wait for the first: fifty at once have one effect and one answer", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => once(shop, ada)));

    expect(new Set(answers.map((answer) => JSON.stringify(kept(answer)))).size).toBe(1);
    expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(await shop.announcedNames()).toEqual(["customer.created"]);
  });
});

describe("a key that was used for another request is refused", () => {
  test.each([
    ["with a field changed", "POST", "/v2/customers", () => ({ ...ada, name: "Ama" })],
    ["with an added field", "POST", "/v2/customers", () => ({ ...ada, first_name: "Ada" })],
    ["on another path", "POST", "/v2/keys", () => ({ name: "Till" })],
    ["with another method", "PUT", "/v2/store", () => ({})],
  ])("%s", async (...[, method, path, body]) => {
    await once(shop, ada);
    const headers = { "Idempotency-Key": onceKey };

    const refused = await shop.send(method, path, { headers, text: JSON.stringify(body()) });

    expect([refused.status, refused.code]).toEqual([422, "idempotency_key_reused"]);
    expect(isReplay(await once(shop, ada))).toBeTrue();
    expect(await shop.announcedNames()).toEqual(["customer.created"]);
  });
});

describe("an idempotency key belongs to the API key that used it", () => {
  test("a key that may only make keys is not given the text of another", async () => {
    const headers = { "Idempotency-Key": onceKey };
    const made = await shop.post("/v2/keys", { name: "Backend" }, { headers });
    const key = await shop.createKey({ scopes: ["keys:write"] });

    const other = await shop.post("/v2/keys", { name: "Backend" }, { headers, key });

    expect([made.status, other.status, other.code]).toEqual([201, 403, "scope_not_held"]);
    expect(other.text).not.toContain(made.string("/key"));
  });

  test("a web page cannot take the one of the merchant's next request", async () => {
    const page = await shop.createKey({ scopes: ["storefront"] });
    const taken = await once(shop, { email: "eve@example.com" }, { key: page });

    const merchants = await once(shop, ada);

    expect([taken.status, merchants.status, isReplay(merchants)]).toEqual([201, 201, false]);
  });

  test("fifty keys at once may use the same one", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `Till ${index}`);
    const keys = await Promise.all(names.map((name) => shop.createKey({ name })));

    const answers = await Promise.all(
      keys.map((key, index) => once(shop, { email: `${index}@example.com` }, { key })),
    );

    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 201));
    expect(answers.some(isReplay)).toBeFalse();
  });
});

describe("an answer of before keys had lineages", () => {
  /** A shop with such an answer to the customer's request. */
  async function openOldShop(): Promise<TestShop> {
    const own = await openTestShop();
    await once(own, ada);
    await tamper(own.folder.path, "UPDATE stored_answers SET lineage = ''");
    return own;
  }

  test("is replayed to any key with full access that repeats the request", async () => {
    await using own = await openOldShop();
    const key = await own.createKey({ name: "New" });

    expect(isReplay(await once(own, ada, { key }))).toBeTrue();
  });

  test("is replayed to no other key", async () => {
    await using own = await openOldShop();
    const key = await own.createKey({ scopes: ["customers:write"] });

    expect((await once(own, ada, { key })).code).toBe("customer_exists");
  });

  test("stands in the way of no other request", async () => {
    await using own = await openOldShop();

    const other = await once(own, { email: "grace@example.com" });

    expect([other.status, isReplay(other)]).toEqual([201, false]);
  });
});

// Both answers would be stored under it, and the second failed with a 500 after its money had moved.
test("a key is refused for another request while a workflow uses it", async () => {
  const gateway = new ScriptedGateway();
  await using own = await openTestShop({ gateways: [gateway] });
  const answersMeanwhile: Answered[] = [];
  gateway.nextAnswer = async () => {
    answersMeanwhile.push(await once(own, ada));
    return { kind: "unknown" };
  };

  const first = await own.post(
    "/v2/payments/initialize",
    { amount: 5, currency: "USD" },
    { headers: { "Idempotency-Key": onceKey } },
  );

  expect(first.status).toBe(201);
  expect(answersMeanwhile.map(({ status, code }) => [status, code])).toEqual([
    [422, "idempotency_key_reused"],
  ]);
});

test("of a write and a workflow that are sent at once with one key, one has an effect", async () => {
  await using own = await openTestShop({ gateways: [new ScriptedGateway()] });
  const headers = { "Idempotency-Key": onceKey };

  const both = await Promise.all([
    own.post("/v2/customers", ada, { headers }),
    own.post("/v2/payments/initialize", { amount: 5, currency: "USD" }, { headers }),
  ]);

  const refused = both.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, code }) => [status, code])).toEqual([
    [422, "idempotency_key_reused"],
  ]);
});

test("the same key is independent in the other mode", async () => {
  const live = await shop.createKey({ mode: "live" });
  const first = await once(shop, ada);

  const other = await once(shop, ada, { key: live });

  expect([other.status, isReplay(other)]).toEqual([201, false]);
  expect(other.id).not.toBe(first.id);
});

test("reads ignore the key", async () => {
  const headers = { "Idempotency-Key": "not a key at all" };

  expect((await shop.get("/v2/store", { headers })).status).toBe(200);
});

describe("a key is refused", () => {
  test.each(["", '""', "two words", "one, two", "x".repeat(256), "caf\u00e9"])(
    "%p",
    async (key) => {
      const refused = await once(shop, ada, { headers: { "Idempotency-Key": key } });

      expect([refused.status, refused.code]).toEqual([400, "idempotency_key_invalid"]);
      expect(await shop.announcedNames()).toEqual([]);
    },
  );
});

describe("a request that failed before the work runs again", () => {
  const cases: [string, number, () => Promise<Answered>][] = [
    ["without a key", 401, () => once(shop, ada, { key: null })],
    [
      "without the scope",
      403,
      async () => once(shop, ada, { key: await shop.createKey({ scopes: ["read_only"] }) }),
    ],
    [
      "on a path that is none",
      404,
      () => shop.post("/v2/customer", ada, { headers: { "Idempotency-Key": onceKey } }),
    ],
    [
      "with a method that is none",
      405,
      () => shop.put("/v2/customers", ada, { headers: { "Idempotency-Key": onceKey } }),
    ],
    ["as plain text", 415, () => once(shop, ada, { headers: { "Content-Type": "text/plain" } })],
    ["too large", 413, () => once(shop, { name: "x".repeat(1_048_576) })],
    ["with a misspelled field", 422, () => once(shop, { emial: "ada@example.com" })],
    [
      "as malformed JSON",
      400,
      () =>
        shop.send("POST", "/v2/customers", { text: "{", headers: { "Idempotency-Key": onceKey } }),
    ],
    [
      "too often",
      429,
      async () => {
        const key = await shop.createKey({ ratePerMinute: 1 });
        await shop.get("/v2/store", { key });
        return once(shop, ada, { key });
      },
    ],
  ];

  test.each(cases)("%s", async (_, status, attempt) => {
    expect((await attempt()).status).toBe(status);

    const again = await once(shop, ada);

    expect([again.status, isReplay(again)]).toEqual([201, false]);
  });

  test("with an old version", async () => {
    await using own = await openTestShop();
    const headers = { "Idempotency-Key": onceKey, "If-Match": '"1"' };
    await own.put("/v2/store", { name: "Second" });
    const first = await own.put("/v2/store", { name: "Third" }, { headers });

    const again = await own.put(
      "/v2/store",
      { name: "Third" },
      { headers: { ...headers, "If-Match": '"2"' } },
    );

    expect([first.status, again.status]).toEqual([412, 200]);
  });
});
