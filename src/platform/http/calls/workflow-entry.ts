// The one entry of a workflow, which commits several transactions. It is in the first commit that writes, which
// records what was asked for; later ones record how it went. A workflow that writes nothing has it at its end.

import { type Database, run, type Tx } from "#platform/database/database.ts";
import type { Act, ChangedFields, Shown } from "#platform/event-log/event-log.ts";
import {
  type AuditTerms,
  differenceOf,
  idInPath,
  idOfAnswer,
  shownOf,
} from "#platform/http/contract/audit-terms.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import type { AnyRoute } from "#platform/http/contract/route.ts";

/** Writes the entry once. */
export class WorkflowEntry {
  readonly #write: (tx: Tx, difference: ChangedFields | null) => Promise<void>;
  #isWritten = false;

  constructor(write: (tx: Tx, difference: ChangedFields | null) => Promise<void>) {
    this.#write = write;
  }

  /** True if a commit has the entry. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** The same database; the entry is in the first commit of a story that writes. */
  within(database: Database): Database {
    return {
      ...database,
      write: async (story, { otherwise, ...options } = {}) => {
        let isInside = false;
        const withEntry = async <T>(tx: Tx, work: (seen: Tx) => Promise<T>): Promise<T> => {
          isInside = false;
          let writes = false;
          const result = await work(noticing(tx, () => (writes = true)));
          if (!writes || this.#isWritten) return result;
          await this.#write(tx, null);
          isInside = true;
          return result;
        };
        const result = await database.write((tx) => withEntry(tx, story), {
          ...options,
          ...(otherwise && {
            otherwise: (tx, error) => withEntry(tx, (seen) => otherwise(seen, error)),
          }),
        });
        this.#isWritten ||= isInside;
        return result;
      },
    };
  }

  /** Writes the entry, with what the answer tells of it, if no commit has it yet. */
  async finish(tx: Tx, difference: ChangedFields | null = null): Promise<void> {
    if (!this.#isWritten) await this.#write(tx, difference);
  }
}

/** The same handle, which tells of every write. */
function noticing(tx: Tx, onWrite: () => void): Tx {
  return {
    now: tx.now,
    actor: tx.actor,
    vault: tx.vault,
    ...(tx.memory && { memory: tx.memory }),
    [run]: (statement, values) => {
      if (statement.writes) onWrite();
      return tx[run](statement, values);
    },
    wake: () => tx.wake(),
    alone: () => tx.alone(),
    scrub: () => tx.scrub(),
    emit: (announcement) => {
      onWrite();
      return tx.emit(announcement);
    },
  };
}

// The act of a request, as the audit log is told of it.

/** A request to an audited route. */
interface AuditedRequest {
  readonly route: AnyRoute;
  readonly input: {
    readonly params: Readonly<Record<string, string>>;
    readonly caller: Caller;
    readonly body: unknown;
    readonly clientNetwork: () => string | null;
  };
  readonly problemTerms: { readonly requestId: string };
}

interface Outcome {
  /** The answer of the handler; a workflow has answered nothing yet when it writes. */
  readonly answered?: unknown;
  /** The record before, if the route compares it. */
  readonly before?: object | undefined;
}

/** The act, after the change and in its transaction. */
export async function requestAct(
  tx: Tx,
  { route, input, problemTerms }: AuditedRequest,
  { answered, before }: Outcome = {},
): Promise<Act> {
  const { params, caller, body } = input;
  const shown = answered === undefined ? {} : route.present(answered);
  const { subject } = route.audit ?? {};
  return {
    actorName: caller.name,
    action: route.operationId,
    subject:
      subject === undefined ? subjectOf(route, params, shown) : await subject(tx, params, body),
    difference: changesOf(route.audit ?? {}, { before, after: shownOf(shown), body }),
    requestId: problemTerms.requestId,
    clientNetwork: input.clientNetwork(),
  };
}

/** Null where nothing is compared, and nothing of the request is kept. */
function changesOf(
  { keeps, notes }: Pick<AuditTerms<never>, "keeps" | "notes">,
  {
    before,
    after,
    body,
  }: { readonly before: object | undefined; readonly after: Shown; readonly body: unknown },
): ChangedFields | null {
  if (before !== undefined) return differenceOf(shownOf(before), after, keeps);
  return notes === undefined ? null : { fields: [], before: null, after: notes(shownOf(body)) };
}

/** The subject: what was created; else the record that the path names; else what was answered. */
function subjectOf(
  { status, kind }: AnyRoute,
  params: AuditedRequest["input"]["params"],
  shown: unknown,
): string | null {
  const [inPath, inAnswer] = [idInPath(params), idOfAnswer(shown)];
  return status === 201 && kind === "write" ? (inAnswer ?? inPath) : (inPath ?? inAnswer);
}
