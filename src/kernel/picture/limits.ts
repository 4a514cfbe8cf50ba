/** The maximum size of an uploaded picture. */
export const PICTURE_BYTES_MAX = 1024 * 1024;
