// The projection of a program: a kill costs and doubles no event, and its sums can be rebuilt.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { tamper } from "../support/behind-the-shop.ts";
import { openRunningDuka, runDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

/** Places orders until the program ends; returns the number of confirmed ones. */
async function orderUntilItEnds(duka: RunningDuka, variant: string): Promise<number> {
  let acknowledged = 0;
  for (;;) {
    const body = { line_items: [{ variant_id: variant, quantity: 1 }] };
    const answer = await answerOrNull(duka.request("POST", "/v2/orders", { body }));
    if (answer === null) return acknowledged;
    if (answer.status === 201) acknowledged += 1;
  }
}

/** Null if the program has ended. */
async function answerOrNull(request: Promise<Response>): Promise<Response | null> {
  try {
    const answer = await request;
    await answer.text();
    return answer;
  } catch {
    return null;
  }
}

async function placedSoFar(duka: RunningDuka, key: string): Promise<number> {
  const answer = await duka.request("GET", "/v2/analytics/summary", { key });
  return Object(await answer.json()).currencies[0].orders.placed;
}

test("after a kill while counting, the next start has counted every order once", async () => {
  using folder = openScratchFolder();
  const place = { folder: folder.path };
  const first = await openRunningDuka(place);
  const made = await first.request("POST", "/v2/products", {
    body: { name: "Mug", price: 1, stock: 100_000 },
  });
  const variant = /var_\w+/.exec(await made.text())?.[0] ?? "";

  const ordering = Array.from({ length: 8 }, () => orderUntilItEnds(first, variant));
  await until(
    async () => (await placedSoFar(first, first.key)) >= 200,
    "Two hundred orders were not placed.",
  );
  await first.end("SIGKILL");
  const acknowledged = (await Promise.all(ordering)).reduce((sum, count) => sum + count, 0);

  const checked = await runDuka(["check"], place);
  expect(checked.stdout).toBe("test: everything agrees\nlive: everything agrees\n");
  await using second = await openRunningDuka(place);
  const placed = await placedSoFar(second, first.key);
  // An order may be saved although its response was lost in the kill.
  expect(placed).toBeGreaterThanOrEqual(acknowledged);
  expect(placed).toBeLessThanOrEqual(acknowledged + 8);
});

describe("duka analytics rebuild", () => {
  test("works beside a running server", async () => {
    using folder = openScratchFolder();
    await using duka = await openRunningDuka({ folder: folder.path });
    await duka.request("POST", "/v2/products", { body: { name: "Mug", price: 1, stock: 1 } });

    const ended = await runDuka(["analytics", "rebuild"], { folder: folder.path });

    expect(ended.stderr).toBe("");
    expect(ended.stdout).toBe("test: counted up to sequence 1\nlive: counted up to sequence 0\n");
  });

  test("repairs sums that were tampered with, which duka check reports", async () => {
    using folder = openScratchFolder();
    const place = { folder: folder.path };
    const duka = await openRunningDuka(place);
    const made = await duka.request("POST", "/v2/products", {
      body: { name: "Mug", price: 1, stock: 5 },
    });
    const variant = /var_\w+/.exec(await made.text())?.[0] ?? "";
    const body = { line_items: [{ variant_id: variant, quantity: 1 }] };
    await duka.request("POST", "/v2/orders", { body });
    await duka.request("GET", "/v2/analytics/summary");
    await duka.end("SIGTERM");
    await countSeven(folder.file("data"));

    const broken = await runDuka(["check"], place);
    const rebuilt = await runDuka(["analytics", "rebuild"], place);
    const mended = await runDuka(["check"], place);

    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain("analytics USD *: placed by 96 slots should be 1 and is 7");
    expect([rebuilt.code, mended.code]).toEqual([0, 0]);
  });
});

/** Changes a sum directly in the database. */
function countSeven(directory: string): Promise<void> {
  return tamper(
    directory,
    `UPDATE analytics_figures SET placed = 7 WHERE level = 96 AND scope =
       (SELECT number FROM analytics_scopes WHERE channel = '*')`,
  );
}
