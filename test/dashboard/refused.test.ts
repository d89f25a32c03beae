// What the dashboard says where there is no page to show: each refusal has its sentence.

import { describe, expect, test } from "bun:test";

import { Refused } from "#dashboard/kit/asker.ts";
import { failedResponse } from "#dashboard/kit/refused-page.ts";

import { sharedDashboard } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

describe("a form that is larger than any of the dashboard's", () => {
  test.each(["/dashboard/enter", "/dashboard/test/products/new/make", "/dashboard/confirm"])(
    "sent to %s is not taken as an empty one",
    async (path) => {
      const page = await dashboard.owner.send(path, { "/name": "x".repeat(70_000) });

      expect([page.status, page.text]).toEqual([
        413,
        expect.stringContaining("Go back and send less text at once."),
      ]);
    },
  );
});

test("a password of as many bytes as one can have arrives", async () => {
  const page = await dashboard
    .stranger()
    .send("/dashboard/enter", { "/name": "é".repeat(100), "/password": "🐐".repeat(256) });

  expect([page.status, page.text]).toEqual([401, expect.stringContaining("is wrong")]);
});

describe("what the interface refuses while a page is opened", () => {
  test.each([
    [429, "Too many requests", "30"],
    [503, "This is not available at the moment", "5"],
    [404, "Page not found", null],
    [403, "Your role does not allow this", null],
    [500, "tell the person who runs the server this id: req_1", null],
  ])("with %d is said so, and is no fault of the page", async (status, said, retry) => {
    const faults: unknown[] = [];
    const headers: Record<string, string> = retry === null ? {} : { "Retry-After": retry };
    const text = JSON.stringify({ request_id: "req_1" });

    const response = failedResponse(new Refused({ status, headers, text }), (fault) =>
      faults.push(fault),
    );

    expect([response.status, response.headers.get("retry-after")]).toEqual([status, retry]);
    expect(await response.text()).toContain(said);
    expect(faults).toEqual([]);
  });

  test("but a bug is told to who runs the server", async () => {
    const faults: unknown[] = [];
    const bug = new Error("bug");

    const response = failedResponse(bug, (fault) => faults.push(fault));

    expect([response.status, faults]).toEqual([500, [bug]]);
  });
});

describe("what a person may ask in a minute", () => {
  test("is used by a refused form as by one page", async () => {
    const change = () =>
      dashboard.owner.send("/dashboard/me/password/change", { "/password": "short" });

    const answers = [];
    for (let at = 0; at < 120; at += 1) answers.push((await change()).status);

    expect(new Set(answers)).toEqual(new Set([422]));
  });
});
