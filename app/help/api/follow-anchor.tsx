"use client";

import { useEffect } from "react";

/**
 * Opens the page of the endpoint whose anchor is the fragment of the URL. Old bookmarks of endpoints have a
 * fragment, because the API reference used to be a single page. Without JavaScript, the browser scrolls to
 * the link to the page of the endpoint.
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
