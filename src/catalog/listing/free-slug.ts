// Finds a slug that is free.

/**
 * Returns the slug, or the slug with a number appended: one that is free while its predecessor is taken. The
 * search is logarithmic, so the ten-thousandth `mug` costs few reads.
 */
export async function freeSlug(
  preferred: string,
  isTaken: (slug: string) => Promise<boolean>,
): Promise<string> {
  const numbered = (number: number) => (number === 1 ? preferred : `${preferred}-${number}`);
  let taken = 0;
  let free = 1;
  while (await isTaken(numbered(free))) {
    taken = free;
    free *= 2;
  }
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(numbered(middle))) taken = middle;
    else free = middle;
  }
  return numbered(free);
}
