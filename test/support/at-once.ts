// Several who do something at the same moment, and what they were answered, in no order of theirs.

import type { Answered } from "./shop.ts";

/** So many at the same moment, each told which it is; answers in their order. */
export function atOnce<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)));
}

/** The statuses from the least to the greatest: who was answered which is left to chance. */
export function statuses(answers: readonly Answered[]): number[] {
  return answers.map((answer) => answer.status).toSorted((one, other) => one - other);
}
