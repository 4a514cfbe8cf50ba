import { createHash } from "node:crypto";
import type { User } from "@/access/principal";
import * as audit from "@/instance/audit/service";
import { createMutex } from "@/kernel/db/mutex";
import type { Deps } from "@/kernel/deps/deps";
import { LOGO_BYTES_MAX } from "./rules";
import * as store from "./store";

/**
 * The maximum number of pixels of an uploaded picture. A decoded picture needs four bytes of memory for each
 * pixel.
 */
const PIXELS_MAX = 4096 * 4096;
const SIDE_PIXELS = 192;
const SECONDS_MAX = 10;

/**
 * The first bytes of PNG, JPEG, GIF and WebP files, in hexadecimal. Other files are refused before decoding,
 * especially SVG files, which can run code.
 */
const BEGINNINGS: readonly RegExp[] = [
  /^89504e470d0a1a0a/,
  /^ffd8ff/,
  /^474946383[79]61/,
  /^52494646.{8}57454250/,
];

/** The mutex for the conversion of pictures. One conversion at a time limits the memory. */
const drawing = createMutex();

/**
 * Sets the logo of one of the user's own applications. The picture is rendered again, so that the stored logo
 * contains no metadata of the file.
 * @returns the error message for a refused picture; null when the logo was set.
 */
export async function setLogo(
  deps: Deps,
  owner: User,
  applicationId: number,
  file: Uint8Array,
): Promise<string | null> {
  if (file.byteLength === 0) return "Select a picture first.";
  if (file.byteLength > LOGO_BYTES_MAX) return "The picture is larger than 1 MB. Choose a smaller picture.";
  const start = Buffer.from(file.subarray(0, 16)).toString("hex");
  if (!BEGINNINGS.some((beginning) => beginning.test(start)))
    return "The file is not a PNG, JPEG, WebP or GIF picture. Convert it to one of these formats.";
  const png = await drawn(file);
  if (png === null)
    return "The picture is damaged or has more than 16 million pixels. Use a picture of at most 4096 by 4096 pixels.";
  await deps.transaction(async (within) => {
    if ((await store.findOwnedBy(within.db, owner.id, applicationId)) === null) return;
    const digest = createHash("sha256").update(png).digest("hex").slice(0, 32);
    await store.putLogo(within.db, applicationId, { png, digest, createdAt: within.clock() });
    await recordChange(within, owner, applicationId, false);
  });
  return null;
}

/** Returns a square PNG without metadata, or null for a picture that cannot be decoded. */
async function drawn(file: Uint8Array): Promise<Uint8Array<ArrayBuffer> | null> {
  const { default: sharp } = await import("sharp");
  const done = await drawing();
  try {
    const picture = sharp(file, { limitInputPixels: PIXELS_MAX, failOn: "error" })
      .timeout({ seconds: SECONDS_MAX })
      .autoOrient()
      .resize(SIDE_PIXELS, SIDE_PIXELS, { fit: "contain", background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .png({ compressionLevel: 9 });
    return new Uint8Array(await picture.toBuffer());
  } catch {
    return null;
  } finally {
    done();
  }
}

/**
 * Removes the logo of one of the user's own applications.
 * @returns whether the application had a logo.
 */
export const removeLogo = (deps: Deps, owner: User, applicationId: number): Promise<boolean> =>
  deps.transaction(async (within) => {
    if (!(await store.removeLogo(within.db, owner.id, applicationId))) return false;
    await recordChange(within, owner, applicationId, true);
    return true;
  });

const recordChange = (deps: Deps, owner: User, applicationId: number, removed: boolean): Promise<void> =>
  audit.record(deps, "application.logo_changed", { removed }, { userId: owner.id, applicationId });
