// The checklist: what is told, how long it is waited for, and how long it is remembered.

import { describe, expect, test } from "bun:test";

import { type Area, type Check, type Finding, ok, todo } from "#checks/check.ts";
import { Checklist } from "#checks/checklist.ts";
import { allChecks } from "#checks/checks.ts";
import { pages } from "#dashboard/pages/pages.ts";
import { en } from "#dashboard/words/en.ts";
import { guides } from "#guides/guide.ts";

import { sharedShop } from "../support/shop.ts";

const shop = sharedShop();

interface Looked {
  readonly finding: Finding;
}

/** A check that finds what is seen, and counts how often it looks. */
function countingCheck(area: Area) {
  const counted = { looks: 0 };
  const check: Check<Looked> = {
    name: `of_${area}`,
    area,
    href: "/settings/shop",
    look: ({ finding }) => {
      counted.looks += 1;
      return finding;
    },
  };
  return { counted, check };
}

function listOf(checks: readonly Check<Looked>[], faults: string[] = []) {
  return new Checklist<Looked>({
    checks,
    mode: "live",
    see: () => ({ finding: todo("It is not there.", "Add it.") }),
    onFault: (check) => faults.push(check),
  });
}

describe("a list of checks", () => {
  test("tells what was found, and where it is done", async () => {
    const { check } = countingCheck("shop");

    expect(await listOf([{ ...check, blocks: true }]).rows()).toEqual([
      {
        check: "of_shop",
        area: "shop",
        state: "todo",
        found: "It is not there.",
        do: "Add it.",
        href: "/dashboard/settings/shop",
        blocks: true,
      },
    ]);
  });

  test("leads to guides as they are", async () => {
    const { check } = countingCheck("safety");
    const [row] = await listOf([{ ...check, href: "/guides/operations#backups" }]).rows();

    expect(row?.href).toBe("/guides/operations#backups");
  });

  test("has its areas in their order, and one alone where that is asked for", async () => {
    const checks = (["shop", "machine", "address"] as const).map((one) => countingCheck(one).check);
    const list = listOf(checks);

    expect((await list.rows()).map(({ area }) => area)).toEqual(["address", "machine", "shop"]);
    expect((await list.rows("shop")).map(({ area }) => area)).toEqual(["shop"]);
  });

  test("remembers for a minute what it found of the server, and looks at the shop each time", async () => {
    const machine = countingCheck("machine");
    const ofShop = countingCheck("shop");
    const list = listOf([machine.check, ofShop.check]);

    await list.rows();
    await list.rows();

    expect([machine.counted.looks, ofShop.counted.looks]).toEqual([1, 2]);
  });

  test("waits for no check longer than it may take", async () => {
    const silent: Check<Looked> = {
      ...countingCheck("connections").check,
      look: () => new Promise(() => undefined),
    };
    const list = new Checklist<Looked>({
      checks: [silent],
      mode: "live",
      see: () => ({ finding: ok("It is there.") }),
      onFault: () => undefined,
      lookMs: 20,
    });

    expect(await list.rows()).toMatchObject([
      { state: "unknown", found: "There was no answer in time." },
    ]);
  });

  test("says that it is not known where a check breaks, and tells the operator why", async () => {
    const faults: string[] = [];
    const broken: Check<Looked> = {
      ...countingCheck("machine").check,
      look: () => Promise.reject(new Error("The disk is gone")),
    };

    const [row] = await listOf([broken], faults).rows();

    expect(row).toMatchObject({
      state: "unknown",
      found: "It could not be looked at: the log of the server says why.",
    });
    expect(faults).toEqual(["of_machine"]);
  });
});

describe("each check", () => {
  const guideOf = (name: string) => guides.find((guide) => guide.name === name)?.text ?? "";

  test.each(allChecks)("$name leads to a page or a heading that there is", ({ href }) => {
    const [, guide = "", heading = ""] = /^\/guides\/([\w-]+)(?:#(.*))?$/.exec(href) ?? [];
    const headings = [...guideOf(guide).matchAll(/^## (.*)$/gm)].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w ]/g, "")
        .replaceAll(" ", "-"),
    );

    expect(
      guide === ""
        ? pages.some(({ path }) => path === href)
        : guideOf(guide) !== "" && (heading === "" || headings.includes(heading)),
    ).toBe(true);
  });

  test.each(allChecks)("$name stands in the guide and has a name for people", ({ name }) => {
    expect(guideOf("go-live")).toContain(`\`${name}\``);
    expect(en.checks.names).toHaveProperty(name);
  });
});

describe("GET /v2/checklist", () => {
  test("lists what the shop lacks", async () => {
    const { body } = await shop.get("/v2/checklist?area=shop");

    expect(body).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({
          check: "owner",
          state: "todo",
          href: "/guides/dashboard#the-first-owner",
        }),
      ]),
    });
  });

  test("needs the right to change the shop", async () => {
    const key = await shop.createKey({ scopes: ["store:read"] });

    expect((await shop.get("/v2/checklist", { key })).code).toBe("scope_missing");
  });

  test("an area that is none is refused", async () => {
    expect((await shop.get("/v2/checklist?area=kitchen")).faults).toEqual(["area invalid_choice"]);
  });
});
