/** The maximum size of an uploaded picture, in bytes. */
export const PICTURE_BYTES_MAX = 1024 * 1024;
