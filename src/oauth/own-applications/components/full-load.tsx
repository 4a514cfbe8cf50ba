"use client";

import { useEffect } from "react";

/**
 * Opens a page of this server by a full page load, in place of the current page. A redirect of a server action
 * would keep the page in the memory of the router, from which the back button could show it again.
 */
export function FullLoad({ to }: { readonly to: string }) {
  useEffect(() => window.location.replace(to), [to]);
  return null;
}
