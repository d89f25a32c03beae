// Waiting in tests: for what happens by itself, and never longer than it should take.

/** Longer than anything takes on a busy machine, shorter than a test may run. */
const WAIT_MS_MAX = 20_000;

/** Looks again and again until the condition holds. Throws the sentence, which says what did not happen, if it never does. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  otherwise: string,
): Promise<void> {
  const giveUpAt = performance.now() + WAIT_MS_MAX;
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error(otherwise);
    await Bun.sleep(2);
  }
}
