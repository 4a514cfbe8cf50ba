import { mayFetch } from "@/access/code";
import { gitOverload } from "@/code/git/git-overload";
import { GitFailed } from "@/code/git/program";
import { enrollsFirst, sessionOf } from "@/identity/sessions/service";
import { signInPath } from "@/identity/sessions/sign-in-path";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { matchesEntityTag } from "@/kernel/http/entity-tag";
import { plainText } from "@/kernel/http/plain-text";
import { readId } from "@/kernel/http/query";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { findProject } from "@/workspace/projects/service";
import { rawHeaders } from "./raw-content";
import { FILE_BYTES_MAX, findBlob, readFile } from "./tree";

type Context = Readonly<{ params: Promise<Readonly<Record<string, unknown>>> }>;

/**
 * `GET /projects/:id/raw?ref=…&path=…` responds with the content of a repository file. The endpoint checks
 * the session and the rights of the user in the same way as the page that shows the file. Pictures in a
 * README are loaded from this URL. The parameter `ref` is the name of a branch, tag or commit; if `ref` is
 * missing, the default branch is used.
 */
export async function getRawFile(request: Request, { params }: Context): Promise<Response> {
  const deps = systemDeps();
  const id = String((await params)["id"]);
  const session = await sessionOf(deps, request.headers.get("cookie"));
  if (session !== null && (await enrollsFirst(deps, session)))
    return plainText(403, "Set up a second factor first, under Two-factor.");
  const project = readId(id) === null ? null : await findProject(deps, id, session?.user ?? null);
  if (project !== null && mayFetch(project.visibility, project.role)) return rawFile(deps, request, project);
  if (session !== null) return plainText(404, NOT_FOUND);
  const { pathname, search } = new URL(request.url);
  const location = deps.config.issuer + signInPath({ returnTo: pathname + search });
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

const NOT_FOUND = "The file does not exist.";

async function rawFile(deps: Deps, request: Request, project: AuthorizedProject): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const [revision, path] = [query.get("ref") || null, query.get("path") ?? ""];
  try {
    const blob = await findBlob(deps, project, { revision, path });
    if (blob === null) return plainText(404, NOT_FOUND);
    if (blob.sizeBytes > FILE_BYTES_MAX)
      return plainText(413, "The file is too large. Clone the repository to get the file.");
    const etag = `"${blob.hash}"`;
    // A cache must revalidate the response before each use, because the user can lose access to the project.
    const caching = { etag, "cache-control": "private, no-cache" };
    const content = await readFile(deps, project, blob);
    const headers = { ...rawHeaders(path, content), ...caching };
    if (matchesEntityTag(request.headers.get("if-none-match"), etag))
      return new Response(null, { status: 304, headers });
    return new Response(new Uint8Array(content), { headers });
  } catch (cause) {
    if (gitOverload(cause) !== null)
      return plainText(503, "The server is busy. Try again in a few seconds.", { "retry-after": "5" });
    if (!(cause instanceof GitFailed)) throw cause;
    deps.log.warn({ event: "repository.not_shown", cause: cause.message });
    return plainText(404, NOT_FOUND);
  }
}
