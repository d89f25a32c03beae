// An object store on loopback that speaks as much of S3 as Duka asks: PutObject, GetObject, HeadObject, DeleteObject and
// ListObjectsV2 of one bucket, by its path.

const S3_BUCKET = "pictures";
const S3_KEY = "AKEXAMPLE";
export const S3_SECRET = "s3-secret-of-the-test";

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

export interface S3Server extends AsyncDisposable {
  readonly url: string;
  /** By their keys. */
  readonly objects: Map<string, StoredObject>;
  /** What was asked, as `PUT key`, oldest first. */
  readonly asked: readonly string[];
  /** Until it is set to null, requests of which it says so are answered `503 SlowDown`. */
  refuses: ((request: string) => boolean) | null;
  /** The settings of a shop that has its pictures here. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Keys that one page of a list has: few, so that lists have several. */
const PAGE_KEYS = 3;
const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=(\w+)\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/;

/** Opens a store on a free port. */
export function openS3Server(): S3Server {
  const objects = new Map<string, StoredObject>();
  const asked: string[] = [];
  const state: Pick<S3Server, "refuses"> = { refuses: null };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const [, bucket, ...steps] = decodeURIComponent(pathname).split("/");
      const key = steps.join("/");
      const what = `${request.method} ${key}`;
      asked.push(what);
      const [, credential] = SIGNED.exec(request.headers.get("authorization") ?? "") ?? [];
      if (credential !== S3_KEY) return fault(403, "SignatureDoesNotMatch");
      if (request.headers.has("x-amz-acl")) return fault(400, "AccessControlListNotSupported");
      if (bucket !== S3_BUCKET) return fault(404, "NoSuchBucket");
      if (state.refuses?.(what) === true) return fault(503, "SlowDown");
      if (key === "") return listOf(objects, searchParams);
      if (request.method !== "PUT") return answer(objects, request, key);
      return take(objects, request, key);
    },
  });
  const url = server.url.origin;
  return Object.assign(state, {
    url,
    objects,
    asked,
    settings: { ...S3_SETTINGS, DUKA_MEDIA_S3_ENDPOINT: url },
    [Symbol.asyncDispose]: () => server.stop(true),
  });
}

/** Stores the body, if it is the one that was signed. */
async function take(
  objects: Map<string, StoredObject>,
  request: Request,
  key: string,
): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  if (request.headers.get("x-amz-content-sha256") !== sha256) {
    return fault(400, "XAmzContentSHA256Mismatch");
  }
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
