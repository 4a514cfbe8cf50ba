import type { ReactNode } from "react";
import type { Deps } from "@/kernel/deps/deps";
import { respondWithPage } from "@/ui/failure-page";
import { staticPage } from "@/ui/static-page";
import { safeReturnPath } from "../sessions/sign-in-path";

/** The parameters in the query of a sign-in page. A repeated parameter counts as absent. */
type Query = (name: string) => string | undefined;

type PageRequest = Readonly<{ deps: Deps; cookie: string | null; query: Query; returnTo: string }>;

/** The result of a page handler: the title and the content of a page, or a redirect. */
type Page = Readonly<{ title: string; body: ReactNode }> | Response;

/**
 * Returns a handler for one of the sign-in pages. Each sign-in page is a static document with the small
 * script that all pages share, and works without the script. The form of the page may redirect to the client
 * of the authorization request in the return path.
 */
export const signInDocument =
  (load: (request: PageRequest) => Promise<Page>) =>
  (request: Request): Promise<Response> =>
    respondWithPage(request, async (deps) => {
      const { searchParams } = new URL(request.url);
      const query: Query = (name) => {
        const [value, ...repeated] = searchParams.getAll(name);
        return repeated.length === 0 ? value : undefined;
      };
      const returnTo = safeReturnPath(query("return_to"), "/");
      const page = await load({ deps, cookie: request.headers.get("cookie"), query, returnTo });
      if (page instanceof Response) return page;
      const nonce = Buffer.from(deps.randomBytes(16)).toString("base64");
      const formLeaves = returnTo.startsWith("/oauth/");
      return staticPage(200, page.title, page.body, { formLeaves, nonce, script: true });
    });
