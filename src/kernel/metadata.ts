// Free-form data of the caller. The shop stores and returns it unchanged and reads only the names of its members,
// which tell whether strangers may see them.

export type Metadata = Readonly<Record<string, unknown>>;

/** The names in the catalog that publishable keys are told. */
export const PUBLIC_NAMES = "^public_";

/** The names that publishable keys send and are told of what they make. */
export const SENT_NAMES = "^(public_|source$)";

const sentNames = new RegExp(SENT_NAMES);

/** The metadata after a change. A publishable key replaces its own names and keeps the others. */
export function metadataAfter(
  before: Metadata,
  given: Metadata | undefined,
  keepsNames: boolean,
): Metadata {
  if (given === undefined) return before;
  if (!keepsNames) return given;
  const kept = Object.entries(before).filter(([name]) => !sentNames.test(name));
  return { ...Object.fromEntries(kept), ...given };
}
