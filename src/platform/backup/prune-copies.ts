// Deletes old copies from the bucket. Invariant: only copies of this shop are deleted, each manifest first, so that
// nothing looks like a copy that is none any more; and no picture that a copy names.

import { DAY_MS } from "#kernel/time.ts";
import type { StoredFile } from "#platform/files/file-store.ts";
import type { Vault } from "#platform/vault/vault.ts";

import {
  copiesIn,
  COPY_SCHEME,
  type CopyStore,
  groupsIn,
  keyOf,
  mediaIn,
  OWN_FILES,
  reaching,
} from "./copies.ts";
import { backedUpModes, BackupFault } from "./files.ts";
import { type BackupManifest, isSignedManifest, MANIFEST_FILE } from "./manifest.ts";

/** Longer than any upload takes: files without a manifest were left by a program that died. */
const ABANDONED_MS = 7 * DAY_MS;

interface PruneTerms {
  readonly keep: number;
  /** The copy that stays in any case. */
  readonly spare: string;
  readonly storeId: string | null;
  readonly vault: Vault;
  readonly nowMs: number;
}

/**
 * Deletes the oldest copies of the shop until `keep` are left, and what programs that died left. Returns the names, and
 * why one could not be deleted: keys that cannot delete are a wise choice.
 */
export async function pruneCopies(
  store: CopyStore,
  terms: PruneTerms,
): Promise<{ readonly deleted: readonly string[]; readonly refused: string | null }> {
  const deleted: string[] = [];
  const ofCopies = await refusalOf(() => deleteCopies(store, terms, deleted));
  const ofUploads = await refusalOf(() => endUploads(store, terms));
  return { deleted, refused: ofCopies ?? ofUploads };
}

/** Null after work that was not refused. */
async function refusalOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await reaching(work);
    return null;
  } catch (error) {
    if (!(error instanceof BackupFault)) throw error;
    return error.message;
  }
}

/** Adds the name of each copy that is gone to `deleted`. */
async function deleteCopies(
  store: CopyStore,
  { keep, spare, storeId, vault, nowMs }: PruneTerms,
  deleted: string[],
): Promise<void> {
  if (storeId === null) return;
  const groups = await groupsIn(store);
  const own = (await copiesIn(store, groups)).flatMap(({ path, manifest }) => {
    const name = path.slice(COPY_SCHEME.length);
    if (manifest instanceof BackupFault || manifest.storeId !== storeId) return [];
    // A manifest under another name would take the place of a copy.
    const isOwn = name === nameOf(manifest) && isSignedManifest(manifest, vault);
    return isOwn && name !== spare ? name : [];
  });
  const old = own.slice(keep - 1);
  const abandoned = [...groups].flatMap(([name, files]) => (isAbandoned(files, nowMs) ? name : []));
  for (const name of [...abandoned, ...old.toReversed()]) {
    const files = OWN_FILES.filter((file) => groups.get(name)?.has(file) === true);
    for (const file of files) await store.copies.remove([keyOf(name, file)]);
    groups.delete(name);
    deleted.push(name);
  }
  if (deleted.length > 0) await sweepMedia(store, [...groups.keys()], nowMs);
}

/** The parts of an upload that died are in no list of files, and cost what files cost. */
async function endUploads({ copies, media }: CopyStore, { nowMs }: PruneTerms): Promise<void> {
  for (const store of [copies, media.live, media.test])
    await store.endUploads(nowMs - ABANDONED_MS);
}

function nameOf({ createdAt }: BackupManifest): string {
  return `duka-${createdAt.replaceAll(":", "")}`;
}

function isAbandoned(files: ReadonlyMap<string, StoredFile>, nowMs: number): boolean {
  const last = Math.max(...[...files.values()].map(({ writtenAt }) => writtenAt));
  return !files.has(MANIFEST_FILE) && last < nowMs - ABANDONED_MS;
}

/** Deletes the pictures that none of the copies names, but not those that an upload may have brought just now. */
async function sweepMedia(
  store: CopyStore,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  const needed = new Set<string>();
  for (const name of names) {
    const lines = await mediaIn(store, name);
    if (lines === null) return;
    for (const line of lines) needed.add(line);
  }
  for (const mode of backedUpModes) {
    const old = (await Array.fromAsync(store.media[mode].list())).filter(
      ({ name, writtenAt }) => !needed.has(`${mode}/${name}`) && writtenAt < nowMs - ABANDONED_MS,
    );
    await store.media[mode].remove(old.map(({ name }) => name));
  }
}
