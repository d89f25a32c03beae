// A row that nearly every story of a group changes. Where changes are held in memory, it is read once, decided on there,
// and written once with the group.

import { assume } from "#kernel/assume.ts";
import {
  type Builder,
  type HeldRows,
  type Preparable,
  type Reader,
  type Statement,
  type Tx,
} from "#platform/database/database.ts";
import { type Placeholders, placeholders } from "#platform/database/prepared.ts";

interface HeldTerms<Row> {
  /** Reads the row by its key, with `preparedMatch`: else it would have all held rows of the table written. */
  readonly find: (db: Reader, key: string) => Promise<Row | undefined>;
  /** Writes the row and returns one; returns none if the row is not as it was read. */
  readonly save: (tx: Builder, at: Placeholders<Row>) => Preparable<readonly unknown[]>;
}

/** The transaction of a story whose changes are held. */
type Holding = Tx & { readonly held: HeldRows };

/** The held rows of one table. */
interface Held<Row> {
  /** The row as the stories so far left it; undefined where there is none. */
  readonly find: (tx: Holding, key: string) => Promise<Row | undefined>;
  /** The row is written, as it is now, with the group. */
  readonly hold: (tx: Holding, key: string, row: Row) => void;
}

export function heldRows<Row extends object>({ find, save }: HeldTerms<Row>): Held<Row> {
  const statement: Statement<unknown> = {
    writes: true,
    build: (builder) => save(builder, placeholders()),
  };
  return {
    find: async (tx, key) => asRow<Row>(tx.held.find(statement, key)) ?? find(tx, key),
    hold: (tx, key, row) => tx.held.hold(statement, key, row),
  };
}

/** Whether the story's changes of such rows are held. */
export function holdsRows(tx: Tx): tx is Holding {
  return tx.held !== undefined;
}

/** The cast to what was held under this statement. */
function asRow<Row>(row: object | undefined): Row | undefined {
  return assume<Row | undefined>(row);
}
