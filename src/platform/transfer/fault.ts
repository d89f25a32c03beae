// What keeps a shop from being copied to another engine, as a sentence for its operator.

/** Nothing was copied: the target is as it was, or has this program's tables and no rows. */
export class CopyFault extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "CopyFault";
  }
}
