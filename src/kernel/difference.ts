// What an audit finds: two figures of the shop that must agree and do not.

/** One figure that is not what the rest of the database says it must be. */
export interface Difference {
  /** The id, or the name, of what it is about. */
  readonly subject: string;
  /** Which figure of it, such as `reserved`. */
  readonly what: string;
  readonly expected: string | number;
  readonly found: string | number;
}
