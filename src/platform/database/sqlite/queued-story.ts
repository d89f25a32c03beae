// A story that waits for its group, with what becomes of its caller.

import {
  type Actor,
  type Story,
  system,
  type Tx,
  type WriteOptions,
} from "#platform/database/database.ts";

/** Runs the story; the returned function acknowledges it after the commit. */
type Run = (tx: Tx) => Promise<() => void>;

export interface QueuedStory {
  readonly story: Run;
  readonly otherwise: ((tx: Tx, error: unknown) => Promise<() => void>) | null;
  readonly actor: Actor;
  readonly requestId: string | null;
  refuse(error: unknown): void;
}

/** Resolves or rejects once the story is acknowledged or refused; `queue` takes it. */
export function queuedStory<T>(
  story: Story<T>,
  { actor = system, requestId, otherwise }: WriteOptions<T>,
  queue: (queued: QueuedStory) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const answering = (value: T) => () => resolve(value);
    queue({
      actor,
      requestId: requestId ?? null,
      story: async (tx) => answering(await story(tx)),
      otherwise: otherwise ? async (tx, error) => answering(await otherwise(tx, error)) : null,
      refuse: reject,
    });
  });
}
