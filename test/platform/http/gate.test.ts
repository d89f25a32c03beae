// Who gets in, and how often. What is asked of the gate here needs no server.

import { describe, expect, test } from "bun:test";

import { Refusal } from "#kernel/refusal.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { Gate } from "#platform/http/server/gate.ts";

const owner: Caller = {
  actor: { type: "api_key", id: "key_1" },
  name: "Key 1",
  lineage: "key_1",
  hasPresetFull: false,
  mode: "test",
  scopes: new Set(),
  isPublic: false,
  ratePerMinute: null,
  expiresAt: null,
};

function openGate(requestsPerMinute = 3): Gate {
  return new Gate({
    requestsPerMinute,
    authenticate: async (key) => (key === "good" ? owner : null),
    addressOf: () => "192.0.2.1",
  });
}

function asking(authorization?: string): Request {
  const headers = authorization === undefined ? {} : { Authorization: authorization };
  return new Request("http://localhost/v2/store", { headers });
}

describe("a key is read from", () => {
  test.each(["Bearer good", "bearer good", "BEARER good"])("%s", async (authorization) => {
    expect(await openGate().authenticate(asking(authorization))).toBe(owner);
  });

  test.each([
    undefined,
    "good",
    "Basic good",
    "Bearer",
    "Bearer  good",
    "Bearer good, Bearer good",
    "Bearer good good",
    "Bearer good,",
    "Token good",
    "Bearer bad",
  ])("not %p", async (authorization) => {
    const refused = await openGate()
      .authenticate(asking(authorization))
      .catch((error: unknown) => error);

    expect(refused).toMatchObject({
      definition: { code: "api_key_invalid" },
      details: { headers: { "WWW-Authenticate": "Bearer" } },
    });
  });
});

describe("the limit", () => {
  test("lets exactly so many through and then says how long to wait", () => {
    const gate = openGate(2);

    gate.admit(owner);
    gate.admit(owner);

    expect(() => gate.admit(owner)).toThrow(Refusal);
    expect(gate.rateHeaders(owner)["RateLimit"]).toMatch(/^"default";r=0;t=(59|60)$/);
  });

  test("is one for all keys of a mode", () => {
    const gate = openGate(1);
    gate.admit(owner);

    expect(() => gate.admit({ ...owner, actor: { type: "api_key", id: "key_2" } })).toThrow(
      Refusal,
    );
  });

  test("is another one in the other mode", () => {
    const gate = openGate(1);
    gate.admit(owner);

    expect(gate.admit({ ...owner, mode: "live" })["RateLimit"]).toBe('"default";r=0;t=60');
  });

  test("of a key's own takes nothing from the others", () => {
    const gate = openGate(1);
    const own: Caller = { ...owner, actor: { type: "api_key", id: "key_2" }, ratePerMinute: 5 };
    gate.admit(owner);

    expect(gate.admit(own)).toEqual({
      "RateLimit-Policy": '"default";q=5;w=60',
      RateLimit: '"default";r=4;t=60',
    });
  });

  test("is none of publishable keys, which have budgets of their own", () => {
    const gate = openGate(1);
    const visitors: Caller = { ...owner, isPublic: true, ratePerMinute: 1 };

    expect([gate.admit(visitors), gate.admit(visitors)]).toEqual([{}, {}]);
    expect(gate.admit(owner)["RateLimit"]).toBe('"default";r=0;t=60');
  });

  test("is kept of at most a thousand keys that ask for nothing, and of each that does", () => {
    const gate = openGate(1);
    const busy: Caller = { ...owner, ratePerMinute: 1 };
    gate.admit(busy);
    for (let nth = 0; nth < 1_500; nth += 1) {
      gate.rateHeaders({ ...busy, actor: { type: "api_key", id: `${nth}` } });
    }

    expect(gate.windows).toBeLessThanOrEqual(1_000);
    expect(() => gate.admit(busy)).toThrow(Refusal);
  });

  test("of nothing is none, and says nothing", () => {
    const gate = openGate(0);

    expect(gate.admit(owner)).toEqual({});
    expect(gate.rateHeaders(owner)).toEqual({});
  });

  test("of a key holds where the shop has none", () => {
    const gate = openGate(0);
    const own: Caller = { ...owner, ratePerMinute: 1 };
    gate.admit(own);

    expect(() => gate.admit(own)).toThrow(Refusal);
  });

  test("is read without being used up", () => {
    const gate = openGate(3);
    gate.admit(owner);

    const twice = [gate.rateHeaders(owner), gate.rateHeaders(owner)];

    expect(twice.map((headers) => headers["RateLimit"])).toEqual([
      '"default";r=2;t=60',
      '"default";r=2;t=60',
    ]);
  });
});
