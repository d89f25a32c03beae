// Uploads files of any size. Invariant: memory holds one part of a file; the store compares each part with its signed
// hash; and an upload that breaks is aborted, since a store keeps its parts, unseen, at a price.

import { open } from "node:fs/promises";

import { SECOND_MS } from "#kernel/time.ts";

import type { S3Bucket } from "./file-store.ts";
import { allOf, elementOf, type S3Call, textOf, unavailable } from "./s3-call.ts";

/** Stores take parts of 5 MiB to 5 GiB, and 10,000 of them: files of up to 58 GiB. Under TLS a part takes four times its bytes of memory. */
const PART_BYTES = 6 * 1_048_576;
/** A store that is busy says so, and asks for patience. */
const PART_TRIES = 3;
const PAUSE_MS = SECOND_MS;
/** 512 kbit/s: for a slower line a backup would take days. */
const SLOWEST_BYTES_PER_MS = 64;
const LATENCY_MS = 20 * SECOND_MS;
/** A store joins the parts of a large file for minutes. */
const JOINING_MS_MAX = 300 * SECOND_MS;

interface Target {
  readonly bucket: S3Bucket;
  readonly call: S3Call;
  readonly key: string;
  readonly type: string;
}

/** Uploads the file; returns its bytes. */
export async function putFile(target: Target, path: string, signal: AbortSignal): Promise<number> {
  const { size } = Bun.file(path);
  if (size > PART_BYTES) await putParts(target, path, signal);
  else await put(target, { bytes: await Bun.file(path).bytes() }, signal);
  return size;
}

async function putParts(target: Target, path: string, signal: AbortSignal): Promise<void> {
  const { bucket, call, key } = target;
  const begun = await call({ method: "POST", key, query: { uploads: "" } }, textOf, signal);
  const uploadId = elementOf(begun ?? "", "UploadId");
  if (uploadId === "") throw unavailable(bucket, "it began no upload");
  try {
    const tags: string[] = [];
    for await (const bytes of partsOf(path)) {
      const query = { partNumber: String(tags.length + 1), uploadId };
      tags.push(await put(target, { bytes, query }, signal));
    }
    await join(target, { uploadId, tags }, signal);
  } catch (error) {
    try {
      await call({ method: "DELETE", key, query: { uploadId } }, allOf);
    } catch {
      // A store that is away: `endUploads` ends it later.
    }
    throw error;
  }
}

/**
 * Aborts the uploads below the prefix that began before `before`: of a program that was killed. The store names a
 * thousand of them at once; the next call ends what is left.
 */
export async function endUploads(
  { bucket, call }: Pick<Target, "bucket" | "call">,
  { prefix, before }: { readonly prefix: string; readonly before: number },
): Promise<void> {
  const list = (await call({ method: "GET", query: { prefix, uploads: "" } }, textOf)) ?? "";
  if (!list.includes("</ListMultipartUploadsResult>"))
    throw unavailable(bucket, "its list of uploads is none");
  for (const [entry] of list.matchAll(/<Upload>.*?<\/Upload>/gs)) {
    const [key, uploadId] = [elementOf(entry, "Key"), elementOf(entry, "UploadId")];
    const isOld = Date.parse(elementOf(entry, "Initiated")) < before;
    if (!isOld || !key.startsWith(prefix)) continue;
    await call({ method: "DELETE", key, query: { uploadId } }, allOf);
  }
}

/** Reads all parts into the same memory: each is done with before the next one is asked for. */
async function* partsOf(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path, "r");
  const memory = Buffer.allocUnsafeSlow(PART_BYTES);
  let filled = 0;
  for (let { size: left } = await file.stat(); left > 0;) {
    const { bytesRead } = await file.read(memory, filled, PART_BYTES - filled, null);
    if (bytesRead === 0) throw new Error(`${path} became shorter.`);
    filled += bytesRead;
    left -= bytesRead;
    if (filled < PART_BYTES && left > 0) continue;
    yield memory.subarray(0, filled);
    filled = 0;
  }
}

/** Returns the tag that the store gave what it took. */
async function put(
  { bucket, call, key, type }: Target,
  { bytes, query = {} }: { readonly bytes: Uint8Array; readonly query?: Record<string, string> },
  signal: AbortSignal,
): Promise<string> {
  const callMsMax = LATENCY_MS + bytes.length / SLOWEST_BYTES_PER_MS;
  const question = { method: "PUT", key, query, body: { bytes, type }, callMsMax } as const;
  for (let tries = 1; ; tries += 1) {
    try {
      const tag = await call(question, ({ headers }) => headers.get("etag") ?? "", signal);
      if (tag !== null) return tag;
      throw unavailable(bucket, `${key} was not taken`);
    } catch (error) {
      if (signal.aborted || tries === PART_TRIES) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}

/** An answer of the status 200 may tell of an error. */
async function join(
  { bucket, call, key }: Target,
  { uploadId, tags }: { readonly uploadId: string; readonly tags: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  );
  const text = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
  const body = { bytes: new TextEncoder().encode(text), type: "application/xml" };
  const answer = await call(
    { method: "POST", key, query: { uploadId }, body, callMsMax: JOINING_MS_MAX },
    textOf,
    signal,
  );
  if (answer?.includes("</CompleteMultipartUploadResult>") === true) return;
  const code = elementOf(answer ?? "", "Code");
  throw unavailable(bucket, `${key} was not joined${code === "" ? "" : `: ${code}`}`);
}
