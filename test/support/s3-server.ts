// An object store on loopback that speaks as much of S3 as Duka asks: PutObject, GetObject, HeadObject, DeleteObject,
// ListObjectsV2, the upload in parts and ListMultipartUploads, of one bucket, by its path. It refuses what is not signed as it has to be.

import { createHash, createHmac } from "node:crypto";

const S3_BUCKET = "pictures";
const S3_KEY = "AKEXAMPLE";
export const S3_SECRET = "s3-secret-of-the-test";
const MINUTE_MS = 60_000;
/** All parts but the last. */
const PART_BYTES_MIN = 5 * 1_048_576;

/** The settings of a shop that has its pictures in such a store, beside its `DUKA_MEDIA_S3_ENDPOINT`. */
export const S3_SETTINGS = {
  DUKA_MEDIA_DIR: "",
  DUKA_MEDIA_S3_BUCKET: S3_BUCKET,
  DUKA_MEDIA_S3_KEY: S3_KEY,
  DUKA_MEDIA_S3_SECRET: S3_SECRET,
  DUKA_MEDIA_S3_REGION: "eu-west-1",
};

interface StoredObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string | null;
  /** Epoch milliseconds. */
  readonly writtenAt: number;
}

/** An upload that was neither joined nor aborted. */
interface OpenUpload {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly begunAt: number;
  readonly parts: Map<number, Uint8Array<ArrayBuffer>>;
}

export interface S3Server extends AsyncDisposable {
  readonly url: string;
  /** By their keys. */
  readonly objects: Map<string, StoredObject>;
  /** By their ids. */
  readonly uploads: Map<string, OpenUpload>;
  /** What was asked, as `PUT key`, oldest first; of an upload in parts as `PUT key?partNumber=1` or `POST key?uploads`. */
  readonly asked: string[];
  /** Until it is set to null, requests of which it says so are answered `503 SlowDown`. */
  refuses: ((request: string) => boolean) | null;
  /** How far its clock is ahead. */
  aheadMs: number;
  /** The settings of a shop that copies its backups here. */
  readonly copySettings: Readonly<Record<string, string>>;
  /** The settings of a shop that has its pictures here. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Keys that one page of a list has: few, so that lists have several. */
const PAGE_KEYS = 3;
const SIGNED_HEADERS = "host;x-amz-content-sha256;x-amz-date";

/** Opens a store on a free port. */
export function openS3Server(): S3Server {
  const objects = new Map<string, StoredObject>();
  const asked: string[] = [];
  const uploads: S3Server["uploads"] = new Map();
  const state: Pick<S3Server, "refuses" | "aheadMs"> = { refuses: null, aheadMs: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    fetch: async (request) => {
      const { pathname, searchParams, search } = new URL(request.url);
      const [, bucket, ...steps] = decodeURIComponent(pathname).split("/");
      const key = steps.join("/");
      const step = /[?&](uploads|partNumber=\d+|uploadId)/.exec(search)?.[1];
      const what = `${request.method} ${key}${step === undefined ? "" : `?${step}`}`;
      asked.push(what);
      const refused = signatureFault(request, Date.now() + state.aheadMs);
      if (refused !== null) return fault(403, refused);
      if (request.headers.has("x-amz-acl")) return fault(400, "AccessControlListNotSupported");
      if (bucket !== S3_BUCKET) return fault(404, "NoSuchBucket");
      if (state.refuses?.(what) === true) return fault(503, "SlowDown");
      const terms = { objects, uploads, key, searchParams };
      return step === undefined ? answerTo(terms, request) : takeParts(terms, request);
    },
  });
  const url = server.url.origin;
  return Object.assign(state, {
    url,
    objects,
    uploads,
    asked,
    copySettings: {
      DUKA_BACKUP_S3_ENDPOINT: url,
      DUKA_BACKUP_S3_BUCKET: S3_BUCKET,
      DUKA_BACKUP_S3_KEY: S3_KEY,
      DUKA_BACKUP_S3_SECRET: S3_SECRET,
      DUKA_BACKUP_S3_REGION: "eu-west-1",
    },
    settings: { ...S3_SETTINGS, DUKA_MEDIA_S3_ENDPOINT: url },
    [Symbol.asyncDispose]: () => server.stop(true),
  });
}

function answerTo(
  { objects, key, searchParams }: PartsTerms,
  request: Request,
): Response | Promise<Response> {
  if (key === "") return listOf(objects, searchParams);
  return request.method === "PUT" ? take(objects, request, key) : answer(objects, request, key);
}

/** What is wrong with the signature of a request, by AWS Signature Version 4; null for nothing. */
function signatureFault({ method, url, headers }: Request, nowMs: number): string | null {
  const { host, pathname, search } = new URL(url);
  const [time, sha256] = [headers.get("x-amz-date") ?? "", headers.get("x-amz-content-sha256")];
  const at = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..)Z$/, "$1-$2-$3:$4:$5Z"));
  const query = search.slice(1).split("&").toSorted().join("&");
  const lines = `host:${host}\nx-amz-content-sha256:${sha256}\nx-amz-date:${time}\n`;
  const canonical = [method, pathname, query, lines, SIGNED_HEADERS, sha256].join("\n");
  const scope = [time.slice(0, 8), "eu-west-1", "s3", "aws4_request"];
  const hash = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), hash].join("\n");
  const hmac = (key: Buffer, part: string) => createHmac("sha256", key).update(part).digest();
  const signature = hmac(scope.reduce(hmac, Buffer.from(`AWS4${S3_SECRET}`)), text).toString("hex");
  const expected = `AWS4-HMAC-SHA256 Credential=${S3_KEY}/${scope.join("/")}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`;
  if (headers.get("authorization") !== expected) return "SignatureDoesNotMatch";
  return Math.abs(at - nowMs) < 15 * MINUTE_MS ? null : "RequestTimeTooSkewed";
}

/** The body; null if it is another one than was signed. */
async function signedBytes(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  return request.headers.get("x-amz-content-sha256") === sha256 ? bytes : null;
}

interface PartsTerms extends Pick<S3Server, "objects" | "uploads"> {
  readonly key: string;
  readonly searchParams: URLSearchParams;
}

/** An upload in parts: it is begun, takes parts, and is joined or aborted. */
async function takeParts(terms: PartsTerms, request: Request): Promise<Response> {
  const { uploads, key, searchParams } = terms;
  const bytes = await signedBytes(request);
  if (bytes === null) return fault(400, "XAmzContentSHA256Mismatch");
  if (searchParams.has("uploads")) {
    if (request.method === "GET") return uploadsOf(uploads, searchParams.get("prefix") ?? "");
    const uploadId = `${crypto.randomUUID()}/+&`;
    uploads.set(uploadId, { key, begunAt: Date.now(), parts: new Map() });
    const shown = Bun.escapeHTML(uploadId);
    return xml(
      200,
      `<InitiateMultipartUploadResult><Bucket>${S3_BUCKET}</Bucket><Key>${key}</Key><UploadId>${shown}</UploadId></InitiateMultipartUploadResult>`,
    );
  }
  const uploadId = searchParams.get("uploadId") ?? "";
  const parts = uploads.get(uploadId)?.parts;
  if (parts === undefined) return fault(404, "NoSuchUpload");
  if (request.method === "DELETE") {
    uploads.delete(uploadId);
    return new Response(null, { status: 204 });
  }
  if (request.method === "PUT") {
    parts.set(Number(searchParams.get("partNumber")), bytes);
    return new Response(null, { headers: { ETag: tagOf(bytes) } });
  }
  return joinParts(terms, parts, new TextDecoder().decode(bytes));
}

function uploadsOf(uploads: S3Server["uploads"], prefix: string): Response {
  const found = [...uploads].filter(([, { key }]) => key.startsWith(prefix));
  const entries = found.map(([id, { key, begunAt }]) => {
    const [shown, at] = [Bun.escapeHTML(id), new Date(begunAt).toISOString()];
    return `<Upload><Key>${Bun.escapeHTML(key)}</Key><UploadId>${shown}</UploadId><Initiated>${at}</Initiated></Upload>`;
  });
  return xml(
    200,
    `<ListMultipartUploadsResult><Bucket>${S3_BUCKET}</Bucket>${entries.join("")}</ListMultipartUploadsResult>`,
  );
}

function joinParts(
  { objects, uploads, key, searchParams }: PartsTerms,
  parts: ReadonlyMap<number, Uint8Array<ArrayBuffer>>,
  text: string,
): Response {
  const form = /<Part><PartNumber>(\d+)<\/PartNumber><ETag>("[0-9a-f]{32}")<\/ETag><\/Part>/g;
  const named = [...text.matchAll(form)].map(([, number, tag]) => ({
    number: Number(number),
    tag,
  }));
  const taken = named.map(({ number }) => parts.get(number) ?? new Uint8Array());
  if (named.some(({ tag }, index) => tag !== tagOf(taken[index] ?? new Uint8Array()))) {
    return fault(400, "InvalidPart");
  }
  if (named.some(({ number }, index) => number <= (named[index - 1]?.number ?? 0))) {
    return fault(400, "InvalidPartOrder");
  }
  // As stores do that have begun to answer.
  if (taken.slice(0, -1).some(({ length }) => length < PART_BYTES_MIN)) {
    return fault(200, "EntityTooSmall");
  }
  const bytes = new Uint8Array(Buffer.concat(taken));
  objects.set(key, { bytes, type: null, writtenAt: Date.now() });
  uploads.delete(searchParams.get("uploadId") ?? "");
  return xml(
    200,
    `<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`,
  );
}

/** Stores the body, if it is the one that was signed. */
async function take(
  objects: Map<string, StoredObject>,
  request: Request,
  key: string,
): Promise<Response> {
  const bytes = await signedBytes(request);
  if (bytes === null) return fault(400, "XAmzContentSHA256Mismatch");
  const type = request.headers.get("content-type");
  objects.set(key, { bytes, type, writtenAt: Date.now() });
  return new Response(null, { headers: { ETag: tagOf(bytes) } });
}

function answer(
  objects: Map<string, StoredObject>,
  { method, headers: asked }: Request,
  key: string,
): Response {
  const found = objects.get(key);
  if (method === "DELETE") {
    objects.delete(key);
    return new Response(null, { status: 204 });
  }
  if (found === undefined) return fault(404, "NoSuchKey");
  const headers = {
    ETag: tagOf(found.bytes),
    "Last-Modified": new Date(found.writtenAt).toUTCString(),
    "Content-Type": found.type ?? "binary/octet-stream",
    "Content-Length": String(found.bytes.byteLength),
  };
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(asked.get("range") ?? "") ?? [];
  if (first !== undefined && last !== undefined) {
    const part = found.bytes.slice(Number(first), Number(last) + 1);
    if (part.byteLength === 0) return fault(416, "InvalidRange");
    const range = `bytes ${first}-${last}/${found.bytes.byteLength}`;
    return new Response(part, {
      status: 206,
      headers: {
        ...headers,
        "Content-Range": range,
        "Content-Length": String(part.byteLength),
      },
    });
  }
  return new Response(method === "HEAD" ? null : found.bytes, { headers });
}

function listOf(objects: Map<string, StoredObject>, asked: URLSearchParams): Response {
  if (asked.get("list-type") !== "2") return fault(400, "InvalidArgument");
  const prefix = asked.get("prefix") ?? "";
  const after = asked.get("continuation-token") ?? "";
  const keys = [...objects.keys()]
    .filter((key) => key.startsWith(prefix) && key > after)
    .toSorted();
  const page = keys.slice(0, PAGE_KEYS);
  const isTruncated = page.length < keys.length;
  const contents = page.map((key) => {
    const { bytes, writtenAt } = objects.get(key) ?? { bytes: new Uint8Array(), writtenAt: 0 };
    const at = new Date(writtenAt).toISOString();
    return `<Contents><Key>${key}</Key><LastModified>${at}</LastModified><ETag>${Bun.escapeHTML(tagOf(bytes))}</ETag><Size>${bytes.byteLength}</Size></Contents>`;
  });
  const next = isTruncated
    ? `<NextContinuationToken>${page.at(-1) ?? ""}</NextContinuationToken>`
    : "";
  return xml(
    200,
    `<ListBucketResult><Name>${S3_BUCKET}</Name><Prefix>${prefix}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${PAGE_KEYS}</MaxKeys><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
  );
}

function fault(status: number, code: string): Response {
  return xml(status, `<Error><Code>${code}</Code><Message>Refused by the test.</Message></Error>`);
}

function xml(status: number, content: string): Response {
  const headers = { "Content-Type": "application/xml" };
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${content}`, { status, headers });
}

function tagOf(bytes: Uint8Array): string {
  return `"${new Bun.CryptoHasher("md5").update(bytes).digest("hex")}"`;
}
