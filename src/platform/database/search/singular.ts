// The singular of a plural, by its ending. What is no word of the shop finds nothing, since a singular is asked for as a
// whole word: the beginning of shoes, less `es`, would find shorts.

/** What stands for an ending in the singular, the longest first; French has -x, as in gâteaux and journaux. */
const ENDINGS: readonly (readonly [plural: string, singulars: readonly string[]])[] = [
  ["ies", ["y"]],
  ["ves", ["f", "fe"]],
  ["aux", ["al"]],
  ["es", [""]],
  ["s", [""]],
  ["x", [""]],
];
const LATIN = /^[a-z]+$/;
/** A word in -ss, such as glass, is no plural. */
const SINGULAR = /ss$/;
/** Single letters are no words. */
const LENGTH_MIN = 2;

/** The words that may be the singular of a folded word. */
export function singularsOf(word: string): string[] {
  if (!LATIN.test(word) || SINGULAR.test(word)) return [];
  return ENDINGS.filter(([plural]) => word.endsWith(plural))
    .flatMap(([plural, singulars]) =>
      singulars.map((ending) => word.slice(0, -plural.length) + ending),
    )
    .filter((singular) => singular.length >= LENGTH_MIN);
}
