// What may be a password.

import { expect, test } from "bun:test";

import { Faults } from "#kernel/refusal.ts";
import { validatePassword } from "#shop/people/credentials/password.ts";

const about = { shopName: "Akosua Wax Prints", personName: "Ama Owusu", host: "akosua.example" };

function faultOf(password: string): string | null {
  const faults = new Faults();
  validatePassword(password, about, faults);
  return faults.list.map(({ pointer, code }) => `${pointer} ${code}`).join() || null;
}

test.each([
  "seven quiet goats on a hill",
  "mango-bicycle-thunder-42",
  "Kwa heri ya kuonana!",
  "ni lini tutaonana tena",
  "ሰላም ለዓለም ሁሉ ዛሬም ነገም",
  "🦁🐘🦒🦓🐆🦏🐊🦛🐒🦜🦩🐢🦎🐍🦂",
  "vT9$kq2!Lm8#xR5",
  "847362910485736",
  "x7".padEnd(256, "qg4 kz9 mv2 "),
  "I bought it at Akosua in May",
])("%p may be a password", (password) => {
  expect(faultOf(password)).toBeNull();
});

test.each([
  ["", "too_short"],
  ["fourteen chars", "too_short"],
  ["🦁🐘🦒🦓🐆🦏🐊", "too_short"],
  ["x7 qg4 kz9 mv2 ".repeat(18), "too_long"],
  ["aaaaaaaaaaaaaaaaaa", "easy_to_guess"],
  ["abababababababab", "easy_to_guess"],
  ["goats!goats!goats!", "easy_to_guess"],
  ["abcdefghijklmnop", "easy_to_guess"],
  ["ponmlkjihgfedcba", "easy_to_guess"],
  ["1234567890123456", "easy_to_guess"],
  ["987654321098765", "easy_to_guess"],
  ["qwertyuiopasdfgh", "easy_to_guess"],
  ["poiuytrewqlkjhg", "easy_to_guess"],
  ["123456789123456789", "easy_to_guess"],
  ["passwordpassword", "easy_to_guess"],
  ["Password 1234567", "easy_to_guess"],
  ["P@ssw0rd-P@ssw0rd-1", "easy_to_guess"],
  ["iloveyou forever 2026", "easy_to_guess"],
  ["correct horse battery staple", "easy_to_guess"],
  ["1qaz2wsx3edc4rfv", "easy_to_guess"],
  ["letmein letmein!", "easy_to_guess"],
  ["q1w2e3r4t5y6u7i8", "easy_to_guess"],
  ["1QAZXSW23edcvfr4", "easy_to_guess"],
  ["Ne_E_Pod_Chehyl", "easy_to_guess"],
  ["akosua wax prints", "easy_to_guess"],
  ["AkosuaWaxPrints2026!", "easy_to_guess"],
  ["ama owusu ama owusu 1", "easy_to_guess"],
  ["akosua.example 77", "easy_to_guess"],
])("%p is refused: %s", (password, code) => {
  expect(faultOf(password)).toBe(`/password ${code}`);
});
