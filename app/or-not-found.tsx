import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { setPageStatus } from "@/kernel/http/page-status";
import { NoSuchPage } from "./no-such-page";

/** The error that the page framework's `notFound()` throws. */
const isNotFound = (cause: unknown): boolean =>
  cause instanceof Error && "digest" in cause && cause.digest === "NEXT_HTTP_ERROR_FALLBACK;404";

/**
 * A page that says in words, and by its status, that it does not exist when its loaders say so. Left to the page
 * framework, what `notFound()` shows is blank in a browser that runs no scripts.
 * @param absent what stands in its place, within the frame of its layout.
 */
export const orNotFound =
  <Props,>(
    page: (props: Props) => Promise<ReactNode>,
    absent: () => ReactNode = NoSuchPage,
  ): ((props: Props) => Promise<ReactNode>) =>
  async (props) => {
    try {
      return await page(props);
    } catch (cause) {
      if (!isNotFound(cause)) {
        unstable_rethrow(cause);
        throw cause;
      }
      setPageStatus(404);
      return absent();
    }
  };
