// A postal address, of a customer, an order or a cart. Every part may be unknown.

export interface Address {
  readonly name: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly phone: string | null;
}
