// Several requests at the same moment, and their statuses in ascending order.

import type { Answered } from "./shop.ts";

/** Starts the work this many times at once, each with its index; returns the results by index. */
export function atOnce<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)));
}

/** The statuses in ascending order: which request gets which answer is left to chance. */
export function statuses(answers: readonly Answered[]): number[] {
  return answers.map((answer) => answer.status).toSorted((one, other) => one - other);
}
