import { reaches } from "@/access/roles";
import { enrollsFirst, sessionOf } from "@/identity/sessions/service";
import { systemDeps } from "@/kernel/deps/deps";
import { findProject } from "@/workspace/projects/service";
import { LEAST_TO_READ } from "./rules";
import { listVersion } from "./service";

type Context = Readonly<{ params: Promise<Readonly<Record<string, string | string[] | undefined>>> }>;

/**
 * `GET /-/errors/:project` returns the version of the list of tracked errors as an entity tag. A request with
 * the current entity tag gets the status 304, so that polling is cheap. Users who cannot read the tracked
 * errors of the project get 404.
 */
export async function getListVersion(request: Request, { params }: Context): Promise<Response> {
  const deps = systemDeps();
  const session = await sessionOf(deps, request.headers.get("cookie"));
  const user = session === null || (await enrollsFirst(deps, session)) ? null : session.user;
  const project = user === null ? null : await findProject(deps, String((await params)["id"]), user);
  const headers = { "cache-control": "private, no-cache", "x-content-type-options": "nosniff" };
  if (project === null || !reaches(project.role, LEAST_TO_READ))
    return new Response(null, { status: 404, headers });
  const etag = `"${await listVersion(deps, project)}"`;
  const isCurrent = request.headers.get("if-none-match") === etag;
  return new Response(null, { status: isCurrent ? 304 : 204, headers: { ...headers, etag } });
}
