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

/** A member for people: `public_gift_note` is named `gift note`. */
export type Note = readonly [name: string, text: string];

const publicNames = new RegExp(PUBLIC_NAMES);

/** All members, for the merchant. What is no text is told as JSON. */
export function notesOf(metadata: Metadata): Note[] {
  return Object.entries(metadata).map(([name, value]) => [
    name.replace(publicNames, "").replaceAll("_", " "),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
}

/** The texts that customers may see. */
export function publicNotesOf(metadata: Metadata): Note[] {
  const open = Object.entries(metadata).filter(
    ([name, value]) => publicNames.test(name) && typeof value === "string" && value !== "",
  );
  return notesOf(Object.fromEntries(open));
}
