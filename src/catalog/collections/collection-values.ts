// The types of what the row of a collection holds.

/** The conditions of an automatic collection: everything that is not null or empty. */
export interface CollectionRule {
  readonly category: string | null;
  /** Any of these. */
  readonly tags: readonly string[];
  readonly brand: string | null;
  /** Words that must all occur, as a search for products finds them. */
  readonly q: string | null;
}
