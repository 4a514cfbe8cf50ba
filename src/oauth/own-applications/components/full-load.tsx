"use client";

import { useEffect } from "react";

/**
 * Opens a page of this server by a full page load, in place of the current page. The redirect of a server
 * action is not used, because the router would keep the page in memory, and the back button could show the
 * page again.
 */
export function FullLoad({ to }: { readonly to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return null;
}
