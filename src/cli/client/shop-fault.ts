// What keeps a command from speaking to a shop, as a sentence for whoever typed it.

/** Told on stderr. Asking again does not help. */
export class ShopFault extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "ShopFault";
  }
}

/** The shop did not answer, or not now: it may later. */
export class ShopUnreachable extends ShopFault {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "ShopUnreachable";
  }
}
