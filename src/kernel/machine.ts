// A state machine as a table: one row per state, one arrow per action. The table alone decides
// which transitions exist and which event each one announces.

type Arrow<State> = readonly [next: State, event: string | null];
type LifeTable<T> = { readonly [S in keyof T]: Readonly<Record<string, Arrow<StateOf<T>>>> };

/** A life table as plain data. */
export type Life = Readonly<
  Record<string, Readonly<Record<string, readonly [next: string, event: string | null]>>>
>;
export type StateOf<T> = keyof T & string;
export type ActionOf<T> = { [S in keyof T]: keyof T[S] & string }[keyof T];

/** Declares a state machine. An arrow to a state that has no row does not compile. */
export function machine<const T extends LifeTable<T>>(table: T): T {
  return table;
}

/** The state that an action leads to, or null if the table has no such arrow. */
export function arrow<T extends LifeTable<T>>(
  life: T,
  from: StateOf<T>,
  action: ActionOf<T>,
): { readonly next: StateOf<T>; readonly event: string | null } | null {
  const found: Arrow<StateOf<T>> | undefined = Object.hasOwn(life[from], action)
    ? life[from][action]
    : undefined;
  return found === undefined ? null : { next: found[0], event: found[1] };
}

/** The actions a state allows. */
export function allowedActions<T extends LifeTable<T>>(life: T, from: StateOf<T>): string[] {
  return Object.keys(life[from]);
}
