"use client";

import { useEffect } from "react";

/**
 * Replaces the current page by another page of this server, with a full page load. The redirect of a server
 * action is not used, because the router would keep the page in memory, and the back button could show the
 * replaced page again.
 */
export function FullLoad({ to }: { readonly to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return null;
}
