// The checklist on the wire.

import Type from "typebox";

import { list, shape, wire } from "#platform/http/contract/wire.ts";
import { choice, line, nullable, object, optional } from "#platform/http/contract/words.ts";

import { areas, type CheckRow, states } from "./check.ts";

/** More than there are. */
const ROWS_MAX = 100;
const SENTENCE_MAX = 1_000;

const checkWire = shape<CheckRow>()({
  check: line(40, { description: "The name of the check. Later versions have more." }),
  area: choice(areas),
  state: choice(states, {
    description:
      "`todo` waits for the merchant, `fail` harms the shop now, and of `unknown` nothing could be found out.",
  }),
  found: line(SENTENCE_MAX, { description: "What was found, as a sentence in English." }),
  do: nullable(
    line(SENTENCE_MAX, { description: "What to do about it; null where there is nothing to do." }),
  ),
  href: line(SENTENCE_MAX, {
    description: "The path of the page on which it is done, or is explained.",
  }),
  blocks: Type.Boolean({ description: "Whether customers cannot buy before it is done." }),
});

export const checklistWire = wire<{ readonly checks: readonly CheckRow[] }>()("Checklist", {
  checks: list(checkWire, { maxItems: ROWS_MAX }),
});

export const checklistQuerySchema = object({
  area: optional(
    choice(areas, { description: "Only the checks of this area; `shop` asks no other server." }),
  ),
});
