"use client";

import { useEffect } from "react";

/**
 * Follows the link of the endpoint that the fragment of the URL names: bookmarks of endpoints are from the time when the
 * reference was one page. Without JavaScript, the browser scrolls to the link.
 */
export function FollowAnchor() {
  useEffect(() => {
    const link = document
      .getElementById(location.hash.slice(1))
      ?.querySelector<HTMLAnchorElement>(":scope > a");
    if (link) location.replace(link.href);
  }, []);
  return null;
}
