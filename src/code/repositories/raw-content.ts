/** The media types of pictures that browsers show, by the extension of the file name. */
const PICTURES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bmp: "image/bmp",
  gif: "image/gif",
  ico: "image/x-icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  webp: "image/webp",
};

const pictureType = (path: string): string | undefined => {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(PICTURES, extension) ? PICTURES[extension] : undefined;
};

/** Returns whether a file with this name is shown as a picture. */
export const isPictureName = (path: string): boolean => pictureType(path) !== undefined;

/**
 * The number of bytes at the beginning of a file in which the server searches for U+0000. As in Git, a file
 * that contains U+0000 among these bytes is binary.
 */
const BINARY_BYTES = 8_000;

/**
 * Returns the response headers for the content of a repository file. The content of the file is not trusted:
 * every user who may push can choose the content, and the response has the same origin as the pages of the
 * instance. Text files are therefore always sent as plain text, and browsers download all other files except
 * pictures. An SVG picture may contain scripts; the content security policy prevents the scripts from using
 * the session of the user.
 * @param path the path of the file. The extension of the file name determines the media type of a picture.
 */
export function rawHeaders(path: string, content: Uint8Array): Readonly<Record<string, string>> {
  const isText = !content.subarray(0, BINARY_BYTES).includes(0);
  const type = pictureType(path) ?? (isText ? "text/plain; charset=utf-8" : "application/octet-stream");
  const isDownload = type === "application/octet-stream";
  return {
    "content-type": type,
    "content-disposition": `${isDownload ? "attachment" : "inline"}; ${fileNameParameter(path)}`,
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
}

/** Returns the parameter `filename*` of `Content-Disposition` (RFC 6266 §4.3, RFC 8187 §3.2). */
function fileNameParameter(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename*=UTF-8''${encoded}`;
}
