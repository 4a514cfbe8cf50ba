"use client";

import { useEffect } from "react";

/**
 * Follows the link of the endpoint that the fragment of the URL names. Old bookmarks of endpoints have a
 * fragment, because the API reference used to be a single page. Without JavaScript, the browser scrolls to
 * the link.
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
