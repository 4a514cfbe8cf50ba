/**
 * Returns whether an `If-None-Match` header names the entity tag, weak or strong (RFC 9110 §13.1.2).
 * @param header the value of the header; null for a request without the header.
 */
export const matchesEntityTag = (header: string | null, etag: string): boolean =>
  (header?.split(",") ?? []).some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));
