import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { setPageStatus } from "@/kernel/http/page-status";
import { NoSuchPage } from "./no-such-page";

/** The error that Next's `notFound()` throws. */
const isNotFound = (cause: unknown): boolean =>
  cause instanceof Error && "digest" in cause && cause.digest === "NEXT_HTTP_ERROR_FALLBACK;404";

/**
 * Returns a page that has the status 404 and shows `absent` when a loader calls `notFound()`. The default
 * page of Next for `notFound()` is blank without JavaScript.
 * @param absent the content that is shown instead of the page, within the frame of its layout.
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
