// An option that cannot be understood: nothing was done.

/** Told on stderr; the program ends as it does for unknown options. */
export class UsageFault extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = "UsageFault";
  }
}
