// The error of a copy that was refused or stopped.

/**
 * A sentence for the operator. Nothing was copied: the target is unchanged, or has empty tables.
 */
export class CopyFault extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "CopyFault";
  }
}
