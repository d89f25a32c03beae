// A list with several values in one filter: asked once for each value, where an index gives the order,
// and merged. One statement for all values would find every row that matches and sort them.

/** A filter's name whose value is a list, where it is given. */
type ListName<F> = {
  [K in keyof F]-?: NonNullable<F[K]> extends readonly unknown[] ? K : never;
}[keyof F];

/**
 * The first rows, newest id first, that match any of the values of the named filters. The first of
 * them that has several values is asked value by value; the others stay conditions on each row.
 */
export async function newestOfEach<F extends { readonly rows: number }, Row extends { id: string }>(
  filters: F,
  names: readonly ListName<F>[],
  read: (filters: F) => Promise<Row[]>,
): Promise<Row[]> {
  const name = names.find((one) => distinct(filters[one]).length > 1);
  if (name === undefined) return read(filters);
  const found: Row[] = [];
  for (const value of distinct(filters[name])) {
    found.push(...(await read({ ...filters, [name]: [value] })));
  }
  return found.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, filters.rows);
}

function distinct(values: unknown): unknown[] {
  return Array.isArray(values) ? [...new Set(values)] : [];
}
