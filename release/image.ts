// The image of a program, as a tar file in OCI's layout, which `docker load` and `podman load` take: two layers, Debian's C
// library and the program, and nothing else. There is no shell in it.

import { readFileSync, realpathSync } from "node:fs";
import { basename, join } from "node:path";

import { sha256 } from "./command.ts";
import type { Libc, Machine } from "./libc.ts";
import { secondsOf, type Source } from "./source.ts";
import { type Entry, gzip, type ReleaseFile, tarOf } from "./tar.ts";

/** The user of the program and of its data. */
const OWNER = 10_001;
const OWNER_ONLY = 0o700;
const EXECUTABLE = 0o755;
/** A folder in which each may write, and remove only what is its own. */
const SHARED = 0o1777;
/** What the program loads, of the package; the loader has its path in the program. */
const libraries = ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0"];
const loaders: Readonly<Record<Machine, { readonly path: string; readonly folder: string }>> = {
  amd64: { path: "lib64/ld-linux-x86-64.so.2", folder: "lib/x86_64-linux-gnu/" },
  arm64: { path: "lib/ld-linux-aarch64.so.1", folder: "lib/aarch64-linux-gnu/" },
};
/** The server listens to the network of the container; the guide publishes the port on loopback alone. */
const variables = {
  PATH: "/usr/local/bin",
  DUKA_HOST: "0.0.0.0",
  DUKA_ALLOW_PLAIN_HTTP: "1",
  DUKA_DATA_DIR: "/data",
};

const TYPES = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
} as const;

/** A file of the layout, found by its hash. */
interface Blob extends Entry {
  readonly descriptor: { mediaType: string; digest: string; size: number };
}

/** The image of the program in `file`. */
export function imageOf(source: Source, file: string, libc: Libc): ReleaseFile {
  const { version, committedAt: created } = source;
  const time = secondsOf(source);
  const layers = [libcEntries(libc), programEntries(file)].map((entries) => tarOf(entries, time));
  const packed = layers.map((layer) => blobOf(TYPES.layer, gzip(layer)));
  const config = jsonBlob(TYPES.config, {
    created,
    architecture: libc.machine,
    os: "linux",
    config: {
      User: `${OWNER}:${OWNER}`,
      ExposedPorts: { "4000/tcp": {} },
      Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
      Entrypoint: ["duka"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
      WorkingDir: "/data",
    },
    rootfs: { type: "layers", diff_ids: layers.map((layer) => `sha256:${sha256(layer)}`) },
    history: ["libc6", "duka"].map((created_by) => ({ created, created_by })),
  });
  const manifest = jsonBlob(TYPES.manifest, {
    schemaVersion: 2,
    mediaType: TYPES.manifest,
    config: config.descriptor,
    layers: packed.map(({ descriptor }) => descriptor),
    annotations: {
      "org.opencontainers.image.title": "Duka",
      "org.opencontainers.image.version": version,
      "org.opencontainers.image.revision": source.commit,
      "org.opencontainers.image.created": created,
      "org.opencontainers.image.licenses": "MIT",
      "debian.libc6.version": libc.version,
      "debian.libc6.sha256": libc.sha256,
    },
  });
  const entries = [...packed, config, manifest, ...listsOf(version, [config, manifest, ...packed])];
  return { path: `duka-${version}-image-${libc.machine}.tar`, bytes: tarOf(entries, time) };
}

/** What leads to the image: the index of OCI, and the list of Docker before its store was containerd's. */
function listsOf(version: string, [config, manifest, ...layers]: readonly Blob[]): Entry[] {
  const annotations = {
    "org.opencontainers.image.ref.name": version,
    "io.containerd.image.name": `docker.io/library/duka:${version}`,
  };
  const manifests = [{ ...manifest?.descriptor, annotations }];
  const index = { schemaVersion: 2, mediaType: TYPES.index, manifests };
  const Layers = layers.map(({ path }) => path);
  const list = [{ Config: config?.path, RepoTags: [`duka:${version}`], Layers }];
  return [
    { path: "oci-layout", bytes: JSON.stringify({ imageLayoutVersion: "1.0.0" }) },
    { path: "index.json", bytes: JSON.stringify(index) },
    { path: "manifest.json", bytes: JSON.stringify(list) },
  ];
}

/** Where a path of the package leads to another, the file there is taken. */
function libcEntries({ machine, root }: Libc): Entry[] {
  const { path, folder } = loaders[machine];
  const loader = join(root, folder, basename(path));
  const files = libraries.map((name) => ({
    path: `${folder}${name}`,
    from: join(root, folder, name),
  }));
  const entries = [...files, { path, from: loader }].map(({ path: to, from }) => ({
    path: to,
    bytes: readFileSync(realpathSync(from)),
    mode: EXECUTABLE,
  }));
  const folders = new Set(["lib/", folder, path.slice(0, path.indexOf("/") + 1)]);
  return [...[...folders].map((one) => ({ path: one })), ...entries];
}

function programEntries(file: string): Entry[] {
  return [
    { path: "data/", mode: OWNER_ONLY, owner: OWNER },
    { path: "tmp/", mode: SHARED },
    // The first four are where what runs the image puts its own.
    ...["dev/", "etc/", "proc/", "sys/", "usr/", "usr/local/", "usr/local/bin/"].map((path) => ({
      path,
    })),
    { path: "usr/local/bin/duka", bytes: readFileSync(file), mode: EXECUTABLE },
  ];
}

function jsonBlob(mediaType: string, value: object): Blob {
  return blobOf(mediaType, Buffer.from(JSON.stringify(value)));
}

function blobOf(mediaType: string, bytes: Uint8Array): Blob {
  const hash = sha256(bytes);
  const descriptor = { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  return { path: `blobs/sha256/${hash}`, bytes, descriptor };
}
