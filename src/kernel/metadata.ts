// Free-form data of the caller. The shop stores and returns it unchanged and never reads it.

export type Metadata = Readonly<Record<string, unknown>>;
