// The ids of a page of orders, put together from several reads.

export interface FoundId {
  readonly id: string;
}

/** Each once, newest first, as many as the page has rows. */
export function newest(found: readonly FoundId[], rows: number): FoundId[] {
  const ids = [...new Set(found.map(({ id }) => id))].toSorted().toReversed();
  return ids.slice(0, rows).map((id) => ({ id }));
}
