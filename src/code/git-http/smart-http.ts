import { isDeepStrictEqual } from "node:util";
import { mayFetch, mayPush } from "@/access/code";
import { GitBusy } from "@/code/git/queue";
import { readPushRules } from "@/code/protected-branches/service";
import { beginPush } from "@/code/pushes/in-flight";
import { announcePushReceived, type Pusher } from "@/code/pushes/push-listener";
import { recordPush } from "@/code/pushes/service";
import { hooksFolder, hookVariables } from "@/code/repositories/hooks";
import { requestHousekeeping } from "@/code/repositories/housekeeping";
import type { RepositoryUse } from "@/code/repositories/rules";
import { repositoryOf } from "@/code/repositories/service";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import {
  probeStorage,
  recentStorageFailure,
  recordFailedWrite,
  recordWrite,
  storageFailureOf,
} from "@/kernel/disk/storage";
import { callerOf } from "@/kernel/http/caller";
import { jsonResponse } from "@/kernel/http/json";
import { requestIdOf } from "@/kernel/http/request-id";
import { reachesProject } from "@/workspace/deploy-tokens/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { findProject } from "@/workspace/projects/service";
import { BackendNotStarted, runBackend } from "./backend";
import { authenticateAgain, authenticateGit, type GitCaller, requireScope } from "./credentials";
import { branchesOf, type PushReport } from "./push-report";
import {
  accessDenied,
  accessNotChecked,
  busy,
  cannotStore,
  changedDuringPush,
  forbidden,
  GitRefusal,
  notFound,
} from "./refusals";
import { FETCH_START_BYTES, PUSH_START_BYTES, readStart } from "./request-start";
import { takeSlot } from "./slots";

type Context = Readonly<{ params: Promise<Readonly<Record<string, unknown>>> }>;

/**
 * A request of a Git client: the project, the service of `git http-backend`, and the requested type of access
 * (fetch or push).
 */
type GitRequest = Readonly<{ fullPath: string; service: string; use: RepositoryUse }>;

/**
 * Handles a request of Git's smart HTTP protocol (gitprotocol-http): `GET …/info/refs?service=…`, `POST
 * …/git-upload-pack` or `POST …/git-receive-pack` under the URL of a project.
 */
export async function handleGitRequest(request: Request, context: Context): Promise<Response> {
  const deps = systemDeps();
  const { path } = await context.params;
  if (isLfsPath(path)) return refuseLfs(request);
  try {
    const gitRequest = readGitRequest(request, path);
    if (gitRequest === null) throw notFound();
    const checkedAt = deps.clock();
    const caller = await authenticateGit(deps, request);
    const project = await projectFor(deps, gitRequest, caller);
    return await serve(actingDeps(deps, caller), request, { gitRequest, caller, project, checkedAt });
  } catch (cause) {
    return refuse(deps, request, cause);
  }
}

/**
 * Returns the dependencies for a Git request. If the caller uses an impersonation token, audit events also
 * name the administrator who created the token.
 */
function actingDeps(deps: Deps, caller: GitCaller | null): Deps {
  const impersonatorId = caller?.impersonatorId ?? null;
  return impersonatorId === null ? deps : { ...deps, impersonatorId };
}

const isLfsPath = (path: unknown): boolean =>
  Array.isArray(path) && path.some((part, index) => part === "info" && path[index + 1] === "lfs");

/**
 * Returns a 501 response with a message that Git LFS prints. The 501 response does not reveal whether the
 * project exists.
 */
const refuseLfs = (request: Request): Response =>
  jsonResponse(
    {
      message:
        "Git LFS is not supported by this server. Push large files as ordinary Git objects, or publish large files as packages.",
      request_id: requestIdOf(request),
    },
    { status: 501, headers: { "content-type": "application/vnd.git-lfs+json", "cache-control": "no-store" } },
  );

/** Parses the request of a Git client. @returns null for a URL that is not part of the Git protocol. */
function readGitRequest(request: Request, path: unknown): GitRequest | null {
  if (!Array.isArray(path)) return null;
  const [, fullPath, service] =
    /^(.+\/.+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(path.join("/")) ?? [];
  if (fullPath === undefined || service === undefined) return null;
  const isGet = service === "info/refs";
  if (isGet !== (request.method !== "POST")) return null;
  const services = isGet ? new URL(request.url).searchParams.getAll("service") : [service];
  // A request without the parameter `service` belongs to the "dumb" protocol, which the server does not support.
  if (services.length !== 1) throw forbidden("Use a Git client of version 1.6.6 or later.");
  if (services[0] === SERVICES.fetch) return { fullPath, service, use: "fetch" };
  return services[0] === SERVICES.push ? { fullPath, service, use: "push" } : null;
}

/** The services of Git's smart protocol. */
const SERVICES: Readonly<Record<RepositoryUse, string>> = {
  fetch: "git-upload-pack",
  push: "git-receive-pack",
};

/**
 * Returns the project if the caller may use its repository in the requested way.
 * @throws GitRefusal 401 for a request without credentials, except for a fetch from a public project. This
 * 401 response does not depend on whether the project exists. GitRefusal 403 or 404 for a caller without
 * access.
 */
async function projectFor(
  deps: Deps,
  { fullPath, use }: GitRequest,
  caller: GitCaller | null,
): Promise<AuthorizedProject> {
  const project = await findProject(deps, fullPath, caller?.user ?? null);
  if (caller === null) {
    if (project === null || use === "push") throw accessDenied();
    return project;
  }
  // A token without the required scope is refused regardless of the result of the project lookup, so that the
  // response does not reveal whether the project exists.
  requireScope(caller, use);
  if (project === null || !(await isReached(deps, caller, project))) throw notFound();
  if (!mayFetch(project.visibility, project.role))
    throw forbidden("You are not allowed to download code from this project.");
  if (use === "push" && !mayPush(project.role))
    throw forbidden("You are not allowed to push code to this project.");
  return project;
}

/**
 * Returns whether the token of the caller gives access to a project. Only deploy tokens are limited to one
 * project or to the projects of one group.
 */
const isReached = async (deps: Deps, { reach }: GitCaller, project: AuthorizedProject): Promise<boolean> =>
  reach === undefined || reachesProject(deps, reach, project);

/** `checkedAt` is the time at which the access of the caller to the project was checked. */
type Served = Readonly<{
  gitRequest: GitRequest;
  caller: GitCaller | null;
  project: AuthorizedProject;
  checkedAt: Date;
}>;

const BUSY_RETRY_SECONDS = 5;

async function serve(deps: Deps, request: Request, served: Served): Promise<Response> {
  const { gitRequest, caller, project } = served;
  if (gitRequest.use === "push") await requireStorage(deps);
  // A Git request gets a slot only after the beginning of its body has arrived.
  const isPush = gitRequest.service === "git-receive-pack";
  const started = await readStart(request, isPush ? PUSH_START_BYTES : FETCH_START_BYTES);
  const check = repeatedCheck(deps, request, served);
  const early = isPush ? await check(null) : null;
  if (early !== null) throw early;
  const slot = takeSlot({ userId: caller?.user.id ?? null, ipAddress: callerOf(request).ipAddress });
  if (slot === null) throw busy(BUSY_RETRY_SECONDS);
  let endPush: () => void = () => undefined;
  try {
    const folder = await repositoryOf(deps, project);
    const call = {
      folder,
      service: gitRequest.service,
      query: gitRequest.service === "info/refs" ? `service=${SERVICES[gitRequest.use]}` : "",
      username: caller?.user.username ?? "",
      programPath: deps.config.programPath,
      hooks: hooksFolder(deps.config.dataDir),
      variables: isPush ? hookVariables(await readPushRules(deps, project)) : {},
    };
    if (isPush && caller !== null) endPush = beginPush(project.id, caller.user.id);
    return await runBackend(request, started, call, {
      ended: (status) => {
        slot.release();
        if (status !== 0 || !isPush) return;
        requestHousekeeping(deps, { projectId: project.id, folder });
      },
      changed: async (references, isCertain) => {
        if (caller !== null) await recordPusher(deps, { project, user: caller.user }, references, isCertain);
        endPush();
      },
      // `caller` cannot be null here, because a push without credentials was refused earlier.
      pushed: async (report) =>
        caller === null ? [] : afterPush(deps, { project, user: caller.user }, report),
      notStored: async () => {
        const reason = await probeStorage(deps.config.dataDir);
        if (reason === null) return null;
        recordFailedWrite(deps.clock());
        return cannotStore(reason).message;
      },
      stalls: (isStalled) => (isStalled ? slot.park() : slot.resume()),
      refusal: async () => (isPush ? check(call.variables) : null),
    });
  } catch (cause) {
    slot.release();
    if (cause instanceof BackendNotStarted) endPush();
    throw cause;
  }
}

/** The time after which the access of a push whose body is still arriving is checked again. */
const ACCESS_CHECKED_MS = 5_000;

/** The time for which a push continues while its access cannot be checked, for example without the database. */
const UNCHECKED_MS = 60_000;

/**
 * Returns a function that checks the access of a push again if the last check was `ACCESS_CHECKED_MS` or longer ago. The
 * body of a push can take an hour to arrive, and during this time the token can be revoked, the user can be blocked or
 * lose the role, or a branch can become protected. The function returns null if the push may continue.
 */
function repeatedCheck(
  deps: Deps,
  request: Request,
  { gitRequest, caller, project, checkedAt }: Served,
): (rules: Readonly<Record<string, string>> | null) => Promise<GitRefusal | null> {
  let lastCheck = checkedAt.getTime();
  let lastSuccess = lastCheck;
  return async (rules) => {
    const now = deps.clock().getTime();
    // The absolute value also covers a clock that was set back.
    if (Math.abs(now - lastCheck) < ACCESS_CHECKED_MS) return null;
    lastCheck = now;
    try {
      const current = await projectFor(deps, gitRequest, await authenticateAgain(deps, request, caller));
      const currentRules = rules && hookVariables(await readPushRules(deps, current));
      if (current.id !== project.id || !isDeepStrictEqual(currentRules, rules)) return changedDuringPush();
      lastSuccess = now;
      return null;
    } catch (cause) {
      if (cause instanceof GitRefusal && cause.status < 429) return cause;
      deps.log.warn({ event: "git.access_not_checked", request_id: requestIdOf(request) }, cause);
      return Math.abs(now - lastSuccess) < UNCHECKED_MS ? null : accessNotChecked();
    }
  };
}

/** Records a push. If recording fails, the push counts as in flight until the server restarts. */
async function recordPusher(
  deps: Deps,
  { project, user }: Pusher,
  references: PushReport["changes"],
  isCertain: boolean,
): Promise<void> {
  try {
    await recordPush(deps, { project, user }, references, isCertain);
  } catch (cause) {
    deps.log.error({ event: "git.push_not_recorded", project_id: project.id, user_id: user.id }, cause);
    throw cause;
  }
}

/**
 * Before a push begins, checks that the server can write to the disk.
 * @throws GitRefusal 507 or 503 if the disk cannot be written. Without this check, Git would respond with an
 * error message that does not name the cause.
 */
async function requireStorage(deps: Deps): Promise<void> {
  const failure = await recentStorageFailure(deps.config.dataDir, deps.clock());
  if (failure !== null) throw cannotStore(failure);
}

/** Notifies the push listeners. @returns the messages that the Git client prints. */
async function afterPush(deps: Deps, pusher: Pusher, report: PushReport): Promise<readonly string[]> {
  if (report.changes.length > 0) recordWrite();
  return announcePushReceived(deps, pusher, { branches: branchesOf(report), options: report.options });
}

function refuse(deps: Deps, request: Request, failure: unknown): Response {
  const cause = failure instanceof GitBusy ? busy(BUSY_RETRY_SECONDS) : notStored(deps, request, failure);
  const isRefusal = cause instanceof GitRefusal;
  if (!isRefusal) deps.log.error({ event: "git.failed", request_id: requestIdOf(request) }, cause);
  const refusal = isRefusal ? cause : new GitRefusal(500, "Git could not be run on the server.");
  return new Response(`${refusal.message}\n`, {
    status: refusal.status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...refusal.headers },
  });
}

/** Converts a storage failure to a GitRefusal. Any other error is returned unchanged. */
function notStored(deps: Deps, request: Request, failure: unknown): unknown {
  const reason = storageFailureOf(failure);
  if (reason === null) return failure;
  recordFailedWrite(deps.clock());
  deps.log.error({ event: "git.not_stored", reason, request_id: requestIdOf(request) }, failure);
  return cannotStore(reason);
}
