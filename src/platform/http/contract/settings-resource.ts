// Settings of a shop that are rows, such as its pickup locations: declared once, with their statements, stories and
// routes. There is no hook but those of `Terms`: a noun that needs another one keeps its own stories.

import type { Static, TObject, TSchema } from "typebox";

import { type ExpectedVersion, requireVersion, staleVersion } from "#kernel/change.ts";
import { type Id, type IdKind, nameOfKind, newId } from "#kernel/id.ts";
import { Faults, type RefusalDefinition } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { propertyOf, type RecordTable, type RowOf } from "#platform/database/record.ts";
import * as database from "#platform/database/statements.ts";

import { pathId } from "./path.ts";
import * as declared from "./resource.ts";
import { listRoute, readRoute, type Route, writeRoute } from "./route.ts";
import type { Method } from "./ways.ts";
import { object, withArticle } from "./words.ts";

type Table = RecordTable<never> & Pick<database.WithVersions, "id" | "version" | "updatedAt">;
type New<F> = Static<TObject<declared.New<F>>>;
type Changed<F> = Static<TObject<declared.Changed<F>>>;
interface Update<F> {
  readonly change: Changed<F>;
  readonly expected: ExpectedVersion;
}

type Stamps = "id" | "version" | "createdAt" | "updatedAt";
/** The columns that no field writes; each is asked for by its name. */
type Missing<Row, F> = Exclude<keyof Row, Stamps | keyof declared.WrittenRow<Row, F>>;

interface Terms<Row, F, K> {
  readonly kind: K;
  readonly notFound: RefusalDefinition;
  /** The path of the list, such as `/v2/pickup-locations`. */
  readonly path: string;
  readonly tag: string;
  /** The scopes are `:read` and `:write` of it. */
  readonly scope: string;
  /** Descriptions of the operations. */
  readonly says: Readonly<Record<"create" | "update" | "remove", string>>;
  /** The number of rows at most: in all, or `of` each text of a field, by which the list is filtered then. */
  readonly limit: {
    readonly most: number;
    readonly of?: declared.Name<F>;
    readonly refusal: RefusalDefinition;
  };
  /** Takes the locks that come before that of the row, and adds the faults that they show. */
  readonly lock: (tx: Tx, given: Changed<F>, faults: Faults) => Promise<void>;
  /** Adds the faults of the row as it will be. */
  readonly check?: (tx: Tx, row: Row, faults: Faults) => Promise<void> | void;
  /** Says, after the noun, that more is deleted, such as `with its rates`. */
  readonly deletes?: string;
}

/** Rows that are not deleted while another noun needs them. */
interface Needed<Change> {
  readonly isNeeded: (tx: Tx, id: string) => Promise<boolean>;
  /** The change that is made then in place of it. */
  readonly becomes: Change;
}

interface SettingsResource<Row, F, K extends IdKind> {
  readonly wire: declared.Resource<Row, F>["wire"];
  readonly rows: database.VersionedStatements<Row>;
  readonly list: database.VersionedStatements<Row>["list"];
  /** Inserts a row. Refuses with `validation_failed`, and at the limit. */
  readonly create: (tx: Tx, body: New<F>) => Promise<Row>;
  /**
   * Writes what is given; what changes nothing makes no version. Refuses with `stale_version` and `validation_failed`,
   * where there is no such row, and at the limit of others that it would belong to.
   */
  readonly update: (tx: Tx, id: Id<K>, update: Update<F>) => Promise<Row>;
  /** Deletes the row. Refuses with `stale_version`, and where there is none. */
  readonly remove: (tx: Tx, id: Id<K>, expected: ExpectedVersion) => Promise<undefined>;
  readonly routes: readonly Route[];
  /** The same routes, for rows that a noun further right may need. */
  readonly routesKeeping: (needed: Needed<Changed<F>>) => readonly Route[];
}

/** Declares settings: their table, their fields in the order of the wire, and what is particular to them. */
export function settingsResource<
  T extends Table,
  const F extends declared.Declared,
  K extends IdKind,
>(
  table: T,
  fields: F & declared.Fitting<RowOf<T>, F> & Readonly<Record<Missing<RowOf<T>, F>, never>>,
  terms: Terms<RowOf<T>, F, K>,
): SettingsResource<RowOf<T>, F, K>;
// The signature above has compared fields, terms and table: what follows treats all columns alike.
export function settingsResource(
  table: AnyTable,
  fields: AnyFields,
  terms: Parts["terms"],
): object {
  const rows = database.versionedStatements(table, terms.notFound);
  const parts = { ...declared.resource<AnyRow>()(nameOf(terms.kind), fields), terms, rows };
  const stories = storiesOf(parts);
  const { wire } = parts;
  const routesKeeping = (needed: Needed<Values>) =>
    routesOf(parts, { ...stories, remove: removeUnlessNeeded({ ...parts, ...stories }, needed) });
  const routes = routesOf(parts, stories);
  return { wire, rows, list: rows.list, ...stories, routes, routesKeeping };
}

/** Returns the story that changes a row in place of deleting it, where it is needed. */
function removeUnlessNeeded(
  { terms, rows, remove, update }: Parts & ReturnType<typeof storiesOf>,
  { isNeeded, becomes: change }: Needed<Values>,
): typeof remove {
  return async (tx, id, expected) => {
    await terms.lock(tx, {}, new Faults());
    await rows.lock(tx, id);
    if (!(await isNeeded(tx, id))) return remove(tx, id, expected);
    await update(tx, id, { change, expected });
  };
}

/** Settings whose columns are not known. */
interface Parts extends declared.Resource<AnyRow, AnyFields> {
  readonly terms: Terms<AnyRow, AnyFields, IdKind>;
  readonly rows: database.VersionedStatements<AnyRow>;
}
type AnyFields = Readonly<Record<string, declared.Written & Record<"create" | "change", TSchema>>>;
type AnyTable = Table & { readonly $inferSelect: AnyRow };
type Values = Readonly<Record<string, unknown>>;
type AnyRow = Values & {
  readonly id: string;
  readonly version: number;
  readonly updatedAt: number;
};

function nameOf(kind: IdKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

function storiesOf({ terms, rows, readNew, readChange, changedNames }: Parts) {
  const { kind, limit, lock, check } = terms;
  const column = propertyOf(limit.of ?? "");
  const refuseExcess = async (tx: Tx, row: AnyRow) => {
    if ((await rows.count(tx, sharing(column, row[column]))) >= limit.most) throw limit.refusal();
  };
  return {
    create: async (tx: Tx, body: Values) => {
      const faults = new Faults();
      await lock(tx, body, faults);
      const given = readNew(body, faults);
      const id = newId(kind, tx.now);
      const row = { ...given, id, version: 1, createdAt: tx.now, updatedAt: tx.now };
      await check?.(tx, row, faults);
      faults.refuseIfAny();
      await refuseExcess(tx, row);
      await rows.insert(tx, row);
      return row;
    },
    update: async (tx: Tx, id: string, { change, expected }: Update<AnyFields>) => {
      const faults = new Faults();
      await lock(tx, change, faults);
      const given = readChange(change, faults);
      const before = await rows.lock(tx, id);
      requireVersion(before.version, expected);
      const after = { ...before, ...given };
      await check?.(tx, after, faults);
      faults.refuseIfAny();
      if (after[column] !== before[column]) await refuseExcess(tx, after);
      return changedNames(before, after).length === 0 ? before : rows.save(tx, before, given);
    },
    remove: async (tx: Tx, id: string, expected: ExpectedVersion): Promise<undefined> => {
      await lock(tx, {}, new Faults());
      requireVersion((await rows.lock(tx, id)).version, expected);
      await rows.drop(tx, id);
    },
  };
}

/** The text that rows of one group share, by its column; none where all rows are one group. */
function sharing(column: string, text: unknown): Readonly<Record<string, string>> {
  return typeof text === "string" ? { [column]: text } : {};
}

/** Returns what an operation is documented as, by its verb. */
function aboutThese({ kind, tag, scope }: Parts["terms"]) {
  const one = withArticle(nameOfKind(kind));
  return <M extends Method>(method: M, verb: string, more?: string) => ({
    method,
    tag,
    operationId: `${verb.toLowerCase()}${nameOf(kind)}`,
    summary: more === undefined ? `${verb} ${one}` : `${verb} ${one} ${more}`,
    scopes: [`${scope}:${method === "GET" ? "read" : "write"}`],
  });
}

function routesOf(
  { terms, rows, wire, newMembers, changeMembers }: Parts,
  { create, update, remove }: ReturnType<typeof storiesOf>,
): readonly Route[] {
  const { kind, notFound, path, says, deletes } = terms;
  const { of = "", refusal } = terms.limit;
  const filter = Object.entries(changeMembers).filter(([member]) => member === of);
  const about = aboutThese(terms);
  const ofOne = { path: `${path}/{id}`, params: { id: pathId(kind, notFound) } };
  return [
    listRoute({
      ...about("GET", "List"),
      path,
      operationId: `list${nameOf(kind)}s`,
      summary: `List ${nameOfKind(kind)}s, newest first`,
      query: object(Object.fromEntries(filter)),
      response: wire,
      handler: (db, { query, page }) => rows.list(db, page, sharing(propertyOf(of), query[of])),
    }),
    writeRoute({
      ...about("POST", "Create"),
      path,
      description: says.create,
      body: object(newMembers),
      response: wire,
      status: 201,
      location: ({ id }) => `${path}/${id}`,
      refusals: [refusal],
      handler: (tx, { body }) => create(tx, body),
    }),
    readRoute({
      ...about("GET", "Retrieve"),
      ...ofOne,
      response: wire,
      handler: (db, { params: { id } }) => rows.get(db, id),
    }),
    writeRoute({
      ...about("PUT", "Update"),
      ...ofOne,
      description: says.update,
      body: object(changeMembers),
      response: wire,
      refusals: of === "" ? [staleVersion] : [staleVersion, refusal],
      handler: (tx, { params: { id }, body: change, ifMatch: expected }) =>
        update(tx, id, { change, expected }),
    }),
    writeRoute({
      ...about("DELETE", "Delete", deletes),
      ...ofOne,
      description: says.remove,
      response: null,
      status: 204,
      refusals: [staleVersion],
      handler: (tx, { params: { id }, ifMatch }) => remove(tx, id, ifMatch),
    }),
  ];
}
