// Workflow: a story is told to see what it would do, and is undone.

import { assume } from "#kernel/assume.ts";
import type { Database, Story } from "#platform/database/database.ts";

/**
 * Returns the answer of the story: by its own rules, of the rows as they are. Afterwards nothing is changed and nothing
 * is in the log. Refuses what the story refuses.
 */
export async function rehearse<T>(database: Database, story: Story<T>): Promise<T> {
  try {
    return await database.write<T>(async (tx) => {
      throw new Rehearsed(await story(tx));
    });
  } catch (error) {
    // The cast holds: only the story above made the answer.
    if (error instanceof Rehearsed) return assume<T>(error.answer);
    throw error;
  }
}

/** Undoes what the story wrote. */
class Rehearsed extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super("The story was told to see what it would do.");
    this.answer = answer;
  }
}
