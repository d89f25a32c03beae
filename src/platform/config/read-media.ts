// Reads where the files of uploaded pictures are, and to which bucket backups are copied.

import { resolve } from "node:path";

import type { CopyPlace } from "#platform/backup/copies.ts";
import type { FilePlace, S3Bucket } from "#platform/files/file-store.ts";
import type { Environment } from "#platform/process/environment.ts";

import type { Intake } from "./intake.ts";
import {
  backupBucket,
  backupPrefix,
  type BucketSettings,
  mediaBucket,
  mediaSettings,
} from "./media-settings.ts";
import { readSecret } from "./read-vendors.ts";
import type { Setting } from "./setting.ts";

const { mediaDirectory, s3PublicUrl } = mediaSettings;

/** Reads the place, which is the usual one where none is set: an absolute path of a folder, or none. */
export function readMedia(intake: Intake, usual: string | null): FilePlace | null {
  const bucket = readBucket(intake, mediaBucket, s3PublicUrl);
  const publicUrl = intake.option(s3PublicUrl);
  const folder = intake.option(mediaDirectory);
  const isGiven = ({ name }: { readonly name: string }) => intake.given[name] !== undefined;
  if (isGiven(mediaDirectory) && isGiven(mediaBucket.endpoint)) {
    intake.add(mediaDirectory, `has no effect beside ${mediaBucket.endpoint.name}: name one place`);
  }
  if (bucket !== null) return { bucket: { ...bucket, publicUrl } };
  const named = folder === null ? usual : resolve(folder);
  return named === null ? null : { folder: named };
}

/** Reads the bucket of the copies of backups; null where none is set. */
export function readCopyPlace(intake: Intake): CopyPlace | null {
  const bucket = readBucket(intake, backupBucket, backupPrefix);
  const prefix = intake.option(backupPrefix) ?? "";
  return bucket === null ? null : { bucket: { ...bucket, publicUrl: null }, prefix };
}

/** The endpoint needs all that opens the bucket, and each of these, and the other setting, needs the endpoint. */
function readBucket(
  intake: Intake,
  { endpoint: at, bucket, key: id, secret: password, region: where }: BucketSettings,
  other: Setting<string>,
): Omit<S3Bucket, "publicUrl"> | null {
  const endpoint = intake.option(at);
  const name = intake.option(bucket);
  const key = intake.option(id);
  const secret = readSecret(intake, password)?.text ?? null;
  const region = intake.value(where);
  const isGiven = ({ name: setting }: Setting<unknown>) => intake.given[setting] !== undefined;
  const { value, file } = password;
  const needed = [bucket, id, isGiven(file) ? file : value];
  const [wrong, why] = isGiven(at)
    ? [needed.filter((one) => !isGiven(one)), "must be set with"]
    : [[...needed, where, other].filter(isGiven), "has no effect without"];
  for (const setting of wrong) intake.add(setting, `${why} ${at.name}`);
  if (endpoint === null || name === null || key === null || secret === null) return null;
  return { endpoint, name, key, secret, region };
}

/** The settings of both as they were given, for a program that this one starts. */
export function givenPlaces({ given }: Pick<Intake, "given">): Environment {
  const { secret, ...others } = backupBucket;
  const copies = [...Object.values(others), secret.value, secret.file, backupPrefix];
  const texts = [...Object.values(mediaSettings), ...copies].flatMap(
    ({ name }): [string, string][] => {
      const text = given[name]?.text;
      return text === undefined ? [] : [[name, text]];
    },
  );
  return Object.fromEntries(texts);
}
