// Authorization: every operation of the interface with every kind of key.

import { expect, test } from "bun:test";

import { randomBytes } from "#kernel/random.ts";
import { makeKey } from "#shop/keys/api-key.ts";
import { scopes } from "#shop/keys/scopes.ts";

import { openTestShop, type TestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { call, operations, pathOf, stock } from "./operations.ts";

/** Each wrong key comes from its own address, so that none is throttled. */
const settings = { DUKA_TRUSTED_PROXIES: "127.0.0.1" };
let addresses = 0;

function fromElsewhere(): Record<string, string> {
  addresses += 1;
  return {
    "X-Forwarded-For": `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
  };
}

/** Keys that are refused. */
async function wrongKeys(shop: TestShop): Promise<(string | null)[]> {
  const revoked = await shop.post("/v2/keys", { name: "Revoked" });
  await shop.delete(`/v2/keys/${revoked.id}`);
  const expiresAt = Date.now() + 5;
  const expired = await shop.createKey({ expiresAt });
  // Keys expire by the machine's clock.
  await until(() => Date.now() > expiresAt, "The key did not expire.");
  return [
    null,
    "nonsense",
    `${shop.key.slice(0, -1)}${shop.key.endsWith("0") ? "1" : "0"}`,
    makeKey("test", "secret", randomBytes(32)),
    shop.key.replace("test_", "live_"),
    revoked.string("/key"),
    expired,
  ];
}

test("a wrong key is refused by every operation in the same way", async () => {
  await using shop = await openTestShop({ settings });
  const keys = await wrongKeys(shop);
  await shop.announced();

  const answers = await Promise.all(
    operations.flatMap(([, route]) =>
      keys.map((key) =>
        call(shop, route, { key, headers: { ...fromElsewhere(), "X-Request-Id": "same" } }),
      ),
    ),
  );

  expect(answers).toHaveLength(operations.length * keys.length);
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 401, code: "api_key_invalid" });
  expect(await shop.announced()).toEqual([]);
});

test("every operation accepts its own scopes and no others", async () => {
  await using shop = await openTestShop();
  const keys = await Promise.all(
    scopes.map(async (scope) => ({ scope, key: await shop.createKey({ scopes: [scope] }) })),
  );

  const opened: [string, string[]][] = [];
  for (const [name, route] of operations) {
    const answers = await Promise.all(keys.map(({ key }) => call(shop, route, { key })));
    const refused = answers.map((answer) => answer.at("/code") === "scope_missing");
    expect(answers.every(({ status }) => status < 500)).toBeTrue();
    opened.push([name, scopes.filter((_, index) => refused[index] === false)]);
  }

  expect(Object.fromEntries(opened)).toEqual(
    Object.fromEntries(
      operations.map(([name, route]) => [
        name,
        scopes.filter((scope) => route.scopes.includes(scope) && route.alsoScopes.length === 0),
      ]),
    ),
  );
});

test("an operation that needs several scopes accepts a key with all of them alone", async () => {
  await using shop = await openTestShop();
  const demanding = operations.filter(([, route]) => route.alsoScopes.length > 0);

  for (const [, route] of demanding) {
    const all = [...route.scopes.slice(0, 1), ...route.alsoScopes];
    const key = await shop.createKey({ scopes: scopes.filter((scope) => all.includes(scope)) });
    const answer = await call(shop, route, { key });

    expect(answer.at("/code")).not.toBe("scope_missing");
  }
  expect(demanding.length).toBeGreaterThan(0);
});

test("a missing scope is refused with the scopes that are accepted", async () => {
  await using shop = await openTestShop();
  const key = await shop.createKey({ scopes: ["products:read"] });

  const refused = await shop.post("/v2/customers", {}, { key });

  expect(refused.body).toMatchObject({
    status: 403,
    code: "scope_missing",
    scopes: ["customers:write", "customers:create"],
  });
  expect(refused.headers.get("www-authenticate")).toBe(
    'Bearer error="insufficient_scope", scope="customers:write customers:create"',
  );
});

test("a live key finds nothing of the test shop and changes nothing in it", async () => {
  await using shop = await openTestShop();
  const live = await shop.createKey({ mode: "live" });
  const ids = await stock(shop);
  const withIds = operations.filter(
    ([, { path, asCustomer }]) => path.includes("{") && !asCustomer,
  );
  await shop.announced();

  const answers = await Promise.all(
    withIds.map(([, route]) => call(shop, route, { key: live, ids })),
  );

  expect(withIds.map(([, route]) => pathOf(route, ids)).join()).not.toContain("sn02q");
  const answered = answers.map(({ status }, index) => `${status} ${withIds[index]?.[0]}`);
  expect(answered.filter((one) => !/^(404|422) /.test(one))).toEqual([]);
  expect(await shop.announced()).toEqual([]);
});
