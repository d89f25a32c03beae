// The settings of uploaded pictures, the folder or the bucket that has their files; and of any other bucket.

import { hostUrl, type Kind, path, publicUrl, type Setting, type SettingValue } from "./setting.ts";
import { secretSetting } from "./vendor-settings.ts";

/** As Amazon allows them, and other stores at least. */
const bucketName: Kind<string> = {
  range: "3 to 63 lower case letters, digits, hyphens and dots",
  read(text) {
    if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text;
    throw new RangeError(`"${text}" is not the name of a bucket`);
  },
};

/** Errors never repeat it. */
const credential: Kind<string> = {
  range: "letters, digits and signs without spaces",
  read(text) {
    if (/^[\x21-\x7e]+$/.test(text)) return text;
    throw new RangeError("has a space or a letter beyond ASCII");
  },
};

const region: Kind<string> = {
  range: "a name such as eu-west-1",
  read(text) {
    if (/^[A-Za-z0-9-]{1,64}$/.test(text)) return text;
    throw new RangeError(`"${text}" is not the name of a region`);
  },
};

/** The words of the settings of a bucket that those of other buckets do not share. */
interface BucketWords {
  readonly endpoint: Pick<Setting<string>, "meaning" | "reason">;
  readonly bucket: Pick<Setting<string>, "meaning" | "reason">;
  /** May follow after "The id of the access key, which may". */
  readonly mayDo: string;
}

/** The settings that open a bucket, below names such as DUKA_MEDIA_S3. */
function bucketSettings(below: `DUKA_${string}`, { endpoint, bucket, mayDo }: BucketWords) {
  const needed = `Needed with ${below}_ENDPOINT`;
  return {
    endpoint: {
      name: `${below}_ENDPOINT`,
      kind: hostUrl,
      default: null,
      unit: null,
      ...endpoint,
    } satisfies Setting<string>,
    bucket: {
      name: `${below}_BUCKET`,
      kind: bucketName,
      default: null,
      unit: null,
      ...bucket,
    } satisfies Setting<string>,
    key: {
      name: `${below}_KEY`,
      kind: credential,
      default: null,
      unit: null,
      meaning: `The id of the access key, which may ${mayDo}.`,
      reason: `${needed}.`,
    } satisfies Setting<string>,
    secret: secretSetting(`${below}_SECRET`, {
      meaning: "The secret of that key.",
      reason: `${needed}; it signs requests and is not sent.`,
      kind: credential,
    }),
    region: {
      name: `${below}_REGION`,
      kind: region,
      default: "us-east-1",
      unit: null,
      meaning: "The region of the bucket.",
      reason: "What stores without regions take.",
    } satisfies Setting<string>,
  };
}

export type BucketSettings = ReturnType<typeof bucketSettings>;

export const mediaBucket = bucketSettings("DUKA_MEDIA_S3", {
  endpoint: {
    meaning: "The object store (S3) that has the uploaded pictures, in place of a folder.",
    reason:
      "None: one program needs no store. A host that begins with the name of the bucket is called without it in the path.",
  },
  bucket: {
    meaning: "Its bucket. Several shops may share it.",
    reason: "Needed with DUKA_MEDIA_S3_ENDPOINT; keys begin with the id of the store and the mode.",
  },
  mayDo: "read, write, delete and list there",
});

export const backupBucket = bucketSettings("DUKA_BACKUP_S3", {
  endpoint: {
    meaning: "The object store (S3) to which each backup is copied.",
    reason: "None; a backup beside its shop burns with it, so a live shop needs a copy elsewhere.",
  },
  bucket: {
    meaning: "Its bucket, which is private and encrypts what it stores.",
    reason: "Needed with DUKA_BACKUP_S3_ENDPOINT; customers are in backups.",
  },
  mayDo: "read, write and list there; without the right to delete, old copies stay",
});

/** As keys begin: no empty step, and none that leads elsewhere. */
const keyPrefix: Kind<string> = {
  range: "a path such as shop/backups, of letters, digits, dots, hyphens and underscores",
  read(text) {
    const begin = text.replace(/\/$/, "");
    if (/^\w[\w.-]*(?:\/\w[\w.-]*)*$/.test(begin) && begin.length <= 256) return `${begin}/`;
    throw new RangeError(`"${text}" is not a path such as shop/backups`);
  },
};

export const backupPrefix: Setting<string> = {
  name: "DUKA_BACKUP_S3_PREFIX",
  kind: keyPrefix,
  default: null,
  unit: null,
  meaning: "The beginning of the keys of the copies.",
  reason: "None: the bucket has nothing else. Give each shop of a bucket its own.",
};

export const mediaSettings = {
  mediaDirectory: {
    name: "DUKA_MEDIA_DIR",
    kind: path,
    default: null,
    unit: null,
    meaning: "The folder of uploaded pictures.",
    reason:
      "By default media in the data directory; with DUKA_DATABASE_URL none, since every program of the shop must reach it.",
  },
  s3Endpoint: mediaBucket.endpoint,
  s3Bucket: mediaBucket.bucket,
  s3Key: mediaBucket.key,
  s3Secret: mediaBucket.secret.value,
  s3SecretFile: mediaBucket.secret.file,
  s3Region: mediaBucket.region,
  s3PublicUrl: {
    name: "DUKA_MEDIA_S3_PUBLIC_URL",
    kind: publicUrl,
    default: null,
    unit: null,
    meaning: "Where browsers read the files of the bucket, such as the URL of a CDN before it.",
    reason: "By default they read them on this server, and the bucket may be private.",
  },
} satisfies Readonly<Record<string, Setting<SettingValue>>>;
