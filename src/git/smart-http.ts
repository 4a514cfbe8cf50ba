import { reaches } from "@/access/roles";
import { noteMove } from "@/features/merge-requests/merging";
import type { AuthorizedProject } from "@/features/projects/rules";
import { findProject, noteActivity } from "@/features/projects/service";
import { FORCE_VARIABLE, hooksFolder } from "@/features/repositories/hooks";
import { tidySoon } from "@/features/repositories/housekeeping";
import { MAY_FORCE, mayFetch, mayPush, type RepositoryUse } from "@/features/repositories/rules";
import { repositoryOf } from "@/features/repositories/service";
import { type Deps, systemDeps } from "@/platform/deps";
import { GitBusy } from "@/platform/git/queue";
import { callerOf } from "@/platform/http/caller";
import { requestIdOf } from "@/platform/http/request-id";
import { askBackend } from "./backend";
import { authenticateGit, type GitCaller, requireScope } from "./credentials";
import { accessDenied, busy, forbidden, GitRefusal, notFound } from "./refusals";
import { readStart, unread } from "./request-start";
import { takeSlot } from "./slots";

type Context = Readonly<{ params: Promise<Readonly<Record<string, unknown>>> }>;

/** What a Git client asks: of which project, what for, and by which service of `git http-backend`. */
type Ask = Readonly<{ fullPath: string; service: string; use: RepositoryUse }>;

/**
 * Git's smart HTTP protocol (gitprotocol-http): `GET …/info/refs?service=…`, `POST …/git-upload-pack` and
 * `POST …/git-receive-pack` below the address of a project.
 */
export async function answerGit(request: Request, context: Context): Promise<Response> {
  const deps = systemDeps();
  try {
    const ask = askOf(request, (await context.params)["path"]);
    if (ask === null) throw notFound();
    const caller = await authenticateGit(deps, request);
    const project = await projectFor(deps, ask, caller);
    return await serve(deps, request, { ask, caller, project });
  } catch (cause) {
    return refuse(deps, request, cause);
  }
}

/** Null for what is no address of the protocol. */
function askOf(request: Request, path: unknown): Ask | null {
  if (!Array.isArray(path)) return null;
  const [, fullPath, service] =
    /^(.+\/.+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(path.join("/")) ?? [];
  if (fullPath === undefined || service === undefined) return null;
  const isGet = service === "info/refs";
  if (isGet !== (request.method !== "POST")) return null;
  const asked = isGet ? new URL(request.url).searchParams.getAll("service") : [service];
  // Without a service it is the "dumb" protocol, which hands out files: it is not spoken here.
  if (asked.length !== 1) throw forbidden("Use a Git client of version 1.6.6 or later.");
  if (asked[0] === "git-upload-pack") return { fullPath, service, use: "fetch" };
  return asked[0] === "git-receive-pack" ? { fullPath, service, use: "push" } : null;
}

/**
 * The project, for a caller who may do that. Without credentials, everything but fetching from an open project asks
 * for some, whether or not the project is there.
 */
async function projectFor(
  deps: Deps,
  { fullPath, use }: Ask,
  caller: GitCaller | null,
): Promise<AuthorizedProject> {
  const project = await findProject(deps, fullPath, caller?.user ?? null);
  if (caller === null) {
    if (project === null || use === "push") throw accessDenied();
    return project;
  }
  // A token that must not read repositories must not learn which there are.
  requireScope(caller, use);
  if (project === null) throw notFound();
  if (!mayFetch(project.visibility, project.role))
    throw forbidden("You may not read the code of this project.");
  if (use === "push" && !mayPush(project.role))
    throw forbidden("You are not allowed to push code to this project.");
  return project;
}

type Served = Readonly<{ ask: Ask; caller: GitCaller | null; project: AuthorizedProject }>;

const BUSY_RETRY_SECONDS = 5;

async function serve(deps: Deps, request: Request, { ask, caller, project }: Served): Promise<Response> {
  // Nobody holds a place while they make up their mind what to fetch.
  const started = ask.service === "git-upload-pack" ? await readStart(request) : null;
  const { address } = callerOf(request);
  const release = takeSlot({ userId: caller?.user.id ?? null, address });
  if (release === null) throw busy(BUSY_RETRY_SECONDS);
  try {
    const folder = await repositoryOf(deps, project);
    const call = {
      folder,
      service: ask.service,
      username: caller?.user.username ?? "",
      programPath: deps.config.programPath,
      hooks: hooksFolder(deps.config.dataDir),
      variables: { [FORCE_VARIABLE]: reaches(project.role, MAY_FORCE) ? "yes" : "no" },
    };
    return await askBackend(request, started ?? unread(request), call, (status) => {
      release();
      if (status !== 0 || ask.service !== "git-receive-pack") return;
      noteActivity(deps, project);
      tidySoon(deps, { projectId: project.id, folder });
      // Nobody pushes without a name.
      if (caller !== null) noteMove(deps, project, caller.user.id);
    });
  } catch (cause) {
    release();
    throw cause;
  }
}

function refuse(deps: Deps, request: Request, failure: unknown): Response {
  const cause = failure instanceof GitBusy ? busy(BUSY_RETRY_SECONDS) : failure;
  const known = cause instanceof GitRefusal;
  if (!known) deps.log.error({ event: "git.failed", request_id: requestIdOf(request) }, cause);
  const refusal = known ? cause : new GitRefusal(500, "Git could not be run on the server.");
  return new Response(`${refusal.message}\n`, {
    status: refusal.status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...refusal.headers },
  });
}
