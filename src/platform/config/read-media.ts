// Reads where the files of uploaded pictures are.

import { resolve } from "node:path";

import type { FilePlace, S3Bucket } from "#platform/files/file-store.ts";
import type { Environment } from "#platform/process/environment.ts";

import type { Intake } from "./intake.ts";
import { mediaSettings } from "./media-settings.ts";
import type { Setting } from "./setting.ts";

const { mediaDirectory, s3Endpoint, s3Bucket, s3Key, s3Secret, s3Region, s3PublicUrl } =
  mediaSettings;

/** Reads the place, which is the usual one where none is set: an absolute path of a folder, or none. */
export function readMedia(intake: Intake, usual: string | null): FilePlace | null {
  const bucket = readBucket(intake);
  const folder = intake.option(mediaDirectory);
  const isGiven = ({ name }: { readonly name: string }) => intake.given[name] !== undefined;
  if (isGiven(mediaDirectory) && isGiven(s3Endpoint)) {
    intake.add(mediaDirectory, `has no effect beside ${s3Endpoint.name}: name one place`);
  }
  if (bucket !== null) return { bucket };
  const named = folder === null ? usual : resolve(folder);
  return named === null ? null : { folder: named };
}

/** The endpoint needs all that opens the bucket, and each of these needs the endpoint. */
function readBucket(intake: Intake): S3Bucket | null {
  const endpoint = intake.option(s3Endpoint);
  const name = intake.option(s3Bucket);
  const key = intake.option(s3Key);
  const secret = intake.option(s3Secret);
  const publicUrl = intake.option(s3PublicUrl);
  const region = intake.value(s3Region);
  const isGiven = ({ name: setting }: Setting<unknown>) => intake.given[setting] !== undefined;
  const needed = [s3Bucket, s3Key, s3Secret];
  if (isGiven(s3Endpoint)) {
    for (const setting of needed.filter((one) => !isGiven(one))) {
      intake.add(setting, `must be set with ${s3Endpoint.name}`);
    }
  } else {
    for (const setting of [...needed, s3Region, s3PublicUrl].filter(isGiven)) {
      intake.add(setting, `has no effect without ${s3Endpoint.name}`);
    }
  }
  if (endpoint === null || name === null || key === null || secret === null) return null;
  return { endpoint, name, key, secret, region, publicUrl };
}

/** These settings as they were given, for a program that this one starts. */
export function givenMedia({ given }: Pick<Intake, "given">): Environment {
  const texts = Object.values(mediaSettings).flatMap(({ name }): [string, string][] => {
    const text = given[name]?.text;
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(texts);
}
