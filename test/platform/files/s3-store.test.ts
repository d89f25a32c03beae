// A bucket whose store or other users do what they should not.

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";

import { copyFiles, openFolderStore } from "#platform/files/file-store.ts";
import { openS3Store } from "#platform/files/s3-store.ts";

import { openS3Server, S3_SECRET } from "../../support/s3-server.ts";
import { openScratchFolder } from "../../support/scratch.ts";

const bytes = new TextEncoder().encode("picture");

function storeAt(endpoint: string) {
  const credentials = { key: "AKEXAMPLE", secret: S3_SECRET, region: "eu-west-1" };
  const bucket = { endpoint, name: "pictures", publicUrl: null, ...credentials };
  return openS3Store(bucket, { prefix: async () => "str_a/live/", type: "image/webp" });
}

function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

test("a backup takes no key that would lead out of its folder, and none that is a folder", async () => {
  await using s3 = openS3Server();
  const store = storeAt(s3.url);
  await store.put("00/one.webp", bytes);
  const object = { bytes: new Uint8Array(0), type: null, writtenAt: 0 };
  const others = [
    "",
    "00/",
    "../../../../stolen",
    "00/../../../stolen",
    "00/..",
    "a/b/c.webp",
    "x",
  ];
  for (const name of others) s3.objects.set(`str_a/live/${name}`, object);
  using folder = openScratchFolder();

  await copyFiles(store, openFolderStore(folder.file("backup/media/live")));

  const found = await readdir(folder.path, { recursive: true, withFileTypes: true });
  expect(found.filter((one) => one.isFile()).map(({ name }) => name)).toEqual(["one.webp"]);
});

test("a file whose time is no time is as new as can be", async () => {
  const page = `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>str_a/live/00/one.webp</Key><LastModified>soon</LastModified><Size>7</Size></Contents></ListBucketResult>`;
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(page),
  });

  expect(await Array.fromAsync(storeAt(server.url.origin).list())).toEqual([
    { name: "00/one.webp", bytes: 7, writtenAt: Infinity },
  ]);
});

test("a redirect is not followed, and an answer that says nothing of the file is no missing file", async () => {
  const asked: string[] = [];
  let answer = () => Response.redirect("/elsewhere", 307);
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      asked.push(new URL(request.url).pathname);
      return answer();
    },
  });
  const store = storeAt(server.url.origin);
  const refused = { definition: { code: "media_store_unavailable" } };

  expect(await failure(store.put("00/one.webp", bytes))).toMatchObject(refused);
  expect(await failure(store.open("00/one.webp"))).toMatchObject(refused);
  answer = () => new Response("not found", { status: 404 });
  expect(await failure(store.open("00/one.webp"))).toMatchObject(refused);
  answer = () => new Response("pict", { status: 206 });
  expect(await failure(store.open("00/one.webp"))).toMatchObject(refused);
  answer = () => new Response("<html>");
  expect(await failure(Array.fromAsync(store.list()))).toMatchObject(refused);

  expect(new Set(asked)).toEqual(new Set(["/pictures/str_a/live/00/one.webp", "/pictures/"]));
});
