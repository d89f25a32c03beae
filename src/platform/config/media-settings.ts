// The settings of uploaded pictures: the folder or the bucket that has their files.

import { hostUrl, type Kind, path, publicUrl, type Setting, type SettingValue } from "./setting.ts";

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
  s3Endpoint: {
    name: "DUKA_MEDIA_S3_ENDPOINT",
    kind: hostUrl,
    default: null,
    unit: null,
    meaning: "The object store (S3) that has the uploaded pictures, in place of a folder.",
    reason:
      "None: one program needs no store. A host that begins with the name of the bucket is called without it in the path.",
  },
  s3Bucket: {
    name: "DUKA_MEDIA_S3_BUCKET",
    kind: bucketName,
    default: null,
    unit: null,
    meaning: "Its bucket. Several shops may share it.",
    reason: "Needed with DUKA_MEDIA_S3_ENDPOINT; keys begin with the id of the store and the mode.",
  },
  s3Key: {
    name: "DUKA_MEDIA_S3_KEY",
    kind: credential,
    default: null,
    unit: null,
    meaning: "The id of the access key, which may read, write, delete and list there.",
    reason: "Needed with DUKA_MEDIA_S3_ENDPOINT.",
  },
  s3Secret: {
    name: "DUKA_MEDIA_S3_SECRET",
    kind: credential,
    default: null,
    unit: null,
    meaning: "The secret of that key.",
    reason: "Needed with DUKA_MEDIA_S3_ENDPOINT; it signs requests and is not sent.",
    isSecret: true,
  },
  s3Region: {
    name: "DUKA_MEDIA_S3_REGION",
    kind: region,
    default: "us-east-1",
    unit: null,
    meaning: "The region of the bucket.",
    reason: "What stores without regions take.",
  },
  s3PublicUrl: {
    name: "DUKA_MEDIA_S3_PUBLIC_URL",
    kind: publicUrl,
    default: null,
    unit: null,
    meaning: "Where browsers read the files of the bucket, such as the URL of a CDN before it.",
    reason: "By default they read them on this server, and the bucket may be private.",
  },
} satisfies Readonly<Record<string, Setting<SettingValue>>>;
