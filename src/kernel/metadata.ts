// Free-form data of the caller's own. The shop keeps it, gives it back as it came, and reads it
// never.

export type Metadata = Readonly<Record<string, unknown>>;
