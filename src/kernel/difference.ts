// The result of an audit: two figures of the shop that must agree and do not.

/** One figure that differs from the value computed from the rest of the database. */
export interface Difference {
  /** The id or name of the resource. */
  readonly subject: string;
  /** The name of the figure, such as `reserved`. */
  readonly what: string;
  readonly expected: string | number;
  readonly found: string | number;
}
