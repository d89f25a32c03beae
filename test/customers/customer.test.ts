// The rules of customers on plain data: names, emails, and what identifies a customer.

import { describe, expect, test } from "bun:test";

import {
  changedDetails,
  contactTaken,
  type Customer,
  emptyDetails,
  requireReachable,
  searchText,
} from "#customers/customer.ts";
import { readAddress } from "#customers/schema.ts";
import { customers } from "#customers/tables.ts";
import { newId } from "#kernel/id.ts";
import { Refusal, validationFailed } from "#kernel/refusal.ts";
import { redacted } from "#platform/database/record.ts";

const ada: Customer = {
  ...emptyDetails,
  id: newId("customer", 0),
  email: "ada@shop.example",
  phone: "+233201234567",
  name: "Ada Mensah",
  firstName: "Ada",
  lastName: "Mensah",
  ordersCount: 0,
  erasedAt: null,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
};
const countess = { ...ada, name: "The Countess" };

describe("a name", () => {
  test.each([
    [
      "follows first and last name",
      {
        before: emptyDetails,
        change: { firstName: "Ada", lastName: "Mensah" },
        name: "Ada Mensah",
      },
    ],
    [
      "follows a single part",
      { before: emptyDetails, change: { lastName: "Mensah" }, name: "Mensah" },
    ],
    [
      "that was given does not follow its parts",
      { before: emptyDetails, change: { name: "A. M.", firstName: "Ada" }, name: "A. M." },
    ],
    [
      "follows when a part changes",
      { before: ada, change: { lastName: "Owusu" }, name: "Ada Owusu" },
    ],
    [
      "is null without parts",
      { before: ada, change: { firstName: null, lastName: null }, name: null },
    ],
    [
      "that was given stays when a part changes",
      { before: countess, change: { firstName: "Augusta" }, name: "The Countess" },
    ],
    [
      "of the longest two parts is cut to the longest name",
      {
        before: emptyDetails,
        change: { firstName: "😀".repeat(100), lastName: "y".repeat(100) },
        name: `${"😀".repeat(100)} ${"y".repeat(99)}`,
      },
    ],
    ["can be removed", { before: ada, change: { name: null }, name: null }],
    [
      "stays when something else changes",
      { before: ada, change: { phone: null }, name: "Ada Mensah" },
    ],
  ])("%s", (_, { before, change, name }) => {
    expect(changedDetails(before, change).name).toBe(name);
  });
});

describe("an email", () => {
  test("is stored in lower case", () => {
    expect(changedDetails(emptyDetails, { email: "Ada@Shop.Example" }).email).toBe(
      "ada@shop.example",
    );
  });

  test("can be removed", () => {
    expect(changedDetails(ada, { email: null }).email).toBeNull();
  });
});

describe("a customer", () => {
  test.each([
    ["an email", { email: "ada@shop.example", phone: null }],
    ["a phone", { email: null, phone: "+233201234567" }],
  ])("with only %s is valid", (_, contact) => {
    expect(() => requireReachable(contact)).not.toThrow();
  });

  test("without email and phone is refused at both pointers", () => {
    const refusal = refusalOf(() => requireReachable(emptyDetails));

    expect(refusal.definition).toBe(validationFailed);
    expect(refusal.details.faults?.map((fault) => [fault.pointer, fault.code])).toEqual([
      ["/email", "required"],
      ["/phone", "required"],
    ]);
  });

  test("is indexed by names, email and phone", () => {
    expect(searchText(countess)).toBe("The Countess Ada Mensah ada@shop.example +233201234567");
  });

  test.each([
    ["email", { email: ada.email, phone: null }, "email"],
    ["phone", { email: "grace@shop.example", phone: ada.phone }, "phone"],
    ["email rather than phone", { email: ada.email, phone: ada.phone }, "email"],
  ])("is identified by %s", (_, contact, field) => {
    expect(contactTaken(ada, contact).details.members).toEqual({ existing_id: ada.id, field });
  });
});

test("an erasure leaves of a customer what a new one begins with", () => {
  const known: Customer = {
    ...ada,
    emailVerifiedAt: 1,
    phoneVerifiedAt: 1,
    addresses: [readAddress({ line1: "12 Ring Road" })],
    marketingConsent: true,
    tags: ["vip"],
    metadata: { nickname: "Countess" },
    isUnverified: true,
    taxId: "C0001",
    taxExemption: "exempt",
    ordersCount: 3,
  };

  const left = redacted(customers, known);

  expect(left).toEqual({ ...known, ...emptyDetails });
  expect(
    Object.entries(emptyDetails).filter(([name, value]) =>
      Bun.deepEquals(Reflect.get(known, name), value),
    ),
  ).toEqual([]);
});

function refusalOf(act: () => void): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error("Nothing was refused.");
}
