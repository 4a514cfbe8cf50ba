import { createHash } from "node:crypto";
import { semaphore } from "../process/semaphore";
import { PICTURE_BYTES_MAX } from "./limits";

/**
 * The maximum number of pixels of an uploaded picture. A decoded picture needs four bytes of memory for each
 * pixel.
 */
const PIXELS_MAX = 4096 * 4096;
const SIDE_PIXELS = 192;
const SECONDS_MAX = 10;

/**
 * The first bytes of PNG, JPEG, GIF and WebP files, in hexadecimal. Files in other formats are refused before
 * decoding, especially SVG files, which can run scripts.
 */
const BEGINNINGS: readonly RegExp[] = [
  /^89504e470d0a1a0a/,
  /^ffd8ff/,
  /^474946383[79]61/,
  /^52494646.{8}57454250/,
];

/**
 * The semaphore for the conversion of pictures. Converting one picture at a time limits the memory use. The maximum
 * queue length limits the number of uploaded files that wait in memory.
 */
const enter = semaphore("pictures", { atOnce: 1, waitingMax: 20 });

/**
 * A square PNG without metadata, and the digest of its content. The digest of the content becomes a part of
 * the URL of the picture.
 */
export type Picture = Readonly<{ png: Uint8Array<ArrayBuffer>; digest: string }>;

/**
 * Renders an uploaded picture as a new small square picture, which contains no metadata of the uploaded file.
 * @param fit `contain` adds transparent borders to a picture that is not square; `cover` crops the picture.
 * @returns the error message for a refused picture.
 */
export async function renderPicture(
  file: Uint8Array,
  fit: "contain" | "cover",
): Promise<Picture | Readonly<{ problem: string }>> {
  if (file.byteLength === 0) return { problem: "Select a picture first." };
  if (file.byteLength > PICTURE_BYTES_MAX)
    return { problem: "The image is larger than 1 MB. Choose a smaller image." };
  const start = Buffer.from(file.subarray(0, 16)).toString("hex");
  if (!BEGINNINGS.some((beginning) => beginning.test(start)))
    return {
      problem: "The file is not a PNG, JPEG, WebP or GIF image. Convert the file to one of these formats.",
    };
  const leave = await enter();
  if (leave === null)
    return {
      problem: "The server is converting too many pictures. Wait a minute, then upload the picture again.",
    };
  const png = await drawn(file, fit).finally(leave);
  if (png === null)
    return {
      problem:
        "The picture is damaged or has more than 16 million pixels. Use a picture of at most 4096 by 4096 pixels.",
    };
  return { png, digest: createHash("sha256").update(png).digest("hex").slice(0, 32) };
}

/** Returns a square PNG without metadata, or null for a picture that cannot be decoded. */
async function drawn(file: Uint8Array, fit: "contain" | "cover"): Promise<Uint8Array<ArrayBuffer> | null> {
  const { default: sharp } = await import("sharp");
  try {
    const picture = sharp(file, { limitInputPixels: PIXELS_MAX, failOn: "error" })
      .timeout({ seconds: SECONDS_MAX })
      .autoOrient()
      .resize(SIDE_PIXELS, SIDE_PIXELS, { fit, background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .png({ compressionLevel: 9 });
    return new Uint8Array(await picture.toBuffer());
  } catch {
    return null;
  }
}

/**
 * Returns the bytes of a file in a form. The result has at most one byte more than the limit, and is empty if
 * the form contains no file.
 */
export async function readPicture(form: FormData, name: string): Promise<Uint8Array> {
  const file = form.get(name);
  return file instanceof Blob
    ? new Uint8Array(await file.slice(0, PICTURE_BYTES_MAX + 1).arrayBuffer())
    : new Uint8Array();
}

/**
 * Returns the HTTP response that contains a picture. A new picture has a new URL, so browsers may cache the
 * response permanently.
 * @param png null for a picture that does not exist.
 * @param readers the sites that may show the picture.
 */
export function pictureResponse(
  png: Uint8Array<ArrayBuffer> | null,
  readers: "same-origin" | "cross-origin",
): Response {
  if (png === null) return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  return new Response(png, {
    headers: {
      "content-type": "image/png",
      "content-length": String(png.byteLength),
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'",
      "cross-origin-resource-policy": readers,
      "x-content-type-options": "nosniff",
    },
  });
}
