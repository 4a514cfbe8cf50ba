"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

const POLLED_EVERY_MS = 10_000;

/**
 * Reloads the list when a tracked error of the project is added, occurs again or gets another status. Without
 * JavaScript, the list does not change until the user reloads the page.
 * @param props.version the version of the list that the page shows.
 */
export function LiveList({ projectId, version }: { readonly projectId: number; readonly version: string }) {
  const router = useRouter();
  useEffect(() => {
    const poll = async (): Promise<void> => {
      if (document.hidden) return;
      const headers = { "if-none-match": `"${version}"` };
      const response = await fetch(`/-/errors/${projectId}`, { headers, cache: "no-store" }).catch(
        () => null,
      );
      if (response?.status === 204) router.refresh();
    };
    const timer = setInterval(poll, POLLED_EVERY_MS);
    document.addEventListener("visibilitychange", poll);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", poll);
    };
  }, [projectId, version, router]);
  return null;
}
