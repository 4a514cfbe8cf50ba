import { mayFetch } from "@/access/code";
import type { Principal, User } from "@/access/principal";
import { type Role, reaches } from "@/access/roles";
import {
  type Admission,
  type Bytes,
  bytes,
  type Call,
  type Declaration,
  type Handler,
  known,
  type Listing,
  listing,
  type Single,
  single,
} from "@/http-api/endpoint";
import { forbidden, notFound } from "@/http-api/errors";
import type { Deps } from "@/kernel/deps/deps";
import { type AuthorizedGroup, seesInside } from "@/workspace/groups/rules";
import { findGroup } from "@/workspace/groups/service";
import type { AuthorizedProject } from "@/workspace/projects/rules";
import { findProject } from "@/workspace/projects/service";

/** A project that the caller may see, and who that is. */
export type InProject = Readonly<{ project: AuthorizedProject; user: User; caller: Principal }>;
/** The same where somebody without a token may ask, too. */
export type OpenProject = Readonly<{ project: AuthorizedProject; caller: Principal | null }>;
export type InGroup = Readonly<{ group: AuthorizedGroup; user: User; caller: Principal }>;
export type OpenGroup = Readonly<{ group: AuthorizedGroup; caller: Principal | null }>;

type Least = Readonly<{ role: Role }>;

/** An endpoint below `/projects/:id` for those who have at least a role there. */
export const projectEndpoint = <Result, Fields = undefined>(
  endpoint: Single<InProject, Fields, Result> & Least,
): Handler => single(endpoint as Declaration, inProject(endpoint.role), endpoint);

/** A list below `/projects/:id` for those who have at least a role there. */
export const projectList = <Row, Fields = undefined>(
  endpoint: Listing<InProject, Fields, Row> & Least,
): Handler => listing(endpoint as Declaration, inProject(endpoint.role), endpoint);

/** An endpoint below `/projects/:id` for everybody who sees the project. */
export const openProjectEndpoint = <Result, Fields = undefined>(
  endpoint: Single<OpenProject, Fields, Result>,
): Handler => single({ ...endpoint, anonymous: true } as Declaration, seenProject, endpoint);

/** In the documents: whoever may fetch. */
const CODE = "anybody who may read its code";

/** What reads the code of a project: for everybody who may fetch it, and for tokens that may do no more than that. */
const READS_CODE = { anonymous: true, scopes: ["api", "read_api", "read_repository"], role: CODE } as const;

/** An endpoint below `/projects/:id/repository` for everybody who may fetch it. */
export const codeEndpoint = <Result, Fields = undefined>(
  endpoint: Single<OpenProject, Fields, Result>,
): Handler => single({ ...endpoint, ...READS_CODE } as Declaration, readCode, endpoint);

/** A list below `/projects/:id/repository` for everybody who may fetch it. */
export const codeList = <Row, Fields = undefined>(endpoint: Listing<OpenProject, Fields, Row>): Handler =>
  listing({ ...endpoint, ...READS_CODE } as Declaration, readCode, endpoint);

/** What is said about the code of a project: for everybody who may fetch it. */
const TELLS_OF_CODE = { anonymous: true, role: CODE } as const;

/** An endpoint below `/projects/:id` for everybody who may read its code, which no token for Git opens. */
export const aboutCodeEndpoint = <Result, Fields = undefined>(
  endpoint: Single<OpenProject, Fields, Result>,
): Handler => single({ ...endpoint, ...TELLS_OF_CODE } as Declaration, readCode, endpoint);

/** The same for a list. */
export const aboutCodeList = <Row, Fields = undefined>(
  endpoint: Listing<OpenProject, Fields, Row>,
): Handler => listing({ ...endpoint, ...TELLS_OF_CODE } as Declaration, readCode, endpoint);

/** The same where the thing itself decides who of those with a token may. */
export const codeWriteEndpoint = <Result, Fields = undefined>(
  endpoint: Single<InProject, Fields, Result> & Readonly<{ role: string }>,
): Handler => single(endpoint as Declaration, inCode, endpoint);

/** Bytes below `/projects/:id/repository` for everybody who may fetch it. */
export const codeBytes = <Fields>(endpoint: Bytes<OpenProject, Fields>): Handler =>
  bytes({ ...endpoint, ...READS_CODE } as unknown as Declaration, readCode, endpoint);

/** Packages: personal access tokens alone, as a header or as clients of registries send a password. */
const PACKAGES = { tokens: "personal", basic: true } as const;

/** What reads the packages of a project: for everybody who may fetch its code. */
const READS_PACKAGES = { ...PACKAGES, anonymous: true, role: CODE } as const;

/** An endpoint below `/projects/:id/packages` for everybody who may fetch the code. */
export const packageEndpoint = <Result, Fields = undefined>(
  endpoint: Single<OpenProject, Fields, Result>,
): Handler => single({ ...endpoint, ...READS_PACKAGES } as Declaration, readCode, endpoint);

/** A list below `/projects/:id/packages` for everybody who may fetch the code. */
export const packageList = <Row, Fields = undefined>(endpoint: Listing<OpenProject, Fields, Row>): Handler =>
  listing({ ...endpoint, ...READS_PACKAGES } as Declaration, readCode, endpoint);

/** The bytes of a package's file for everybody who may fetch the code. */
export const packageBytes = <Fields>(endpoint: Bytes<OpenProject, Fields>): Handler =>
  bytes({ ...endpoint, ...READS_PACKAGES } as unknown as Declaration, readCode, endpoint);

/** What changes the packages of a project, for those who have at least a role there. */
export const packageChange = <Result, Fields = undefined>(
  endpoint: Single<InProject, Fields, Result> & Least,
): Handler => single({ ...endpoint, ...PACKAGES } as Declaration, inProject(endpoint.role), endpoint);

/** What reads the container images of a project: for everybody who may read its code. */
const READS_IMAGES = { anonymous: true, role: CODE } as const;

/** An endpoint below `/projects/:id/registry` for everybody who may pull. */
export const imagesEndpoint = <Result, Fields = undefined>(
  endpoint: Single<OpenProject, Fields, Result>,
): Handler => single({ ...endpoint, ...READS_IMAGES } as Declaration, readCode, endpoint);

/** A list below `/projects/:id/registry` for everybody who may pull. */
export const imagesList = <Row, Fields = undefined>(endpoint: Listing<OpenProject, Fields, Row>): Handler =>
  listing({ ...endpoint, ...READS_IMAGES } as Declaration, readCode, endpoint);

/** A list below `/projects/:id` for everybody with a token who sees the project. */
export const seenProjectList = <Row, Fields = undefined>(
  endpoint: Listing<InProject, Fields, Row>,
): Handler => listing({ ...endpoint, role: SEEN } as Declaration, inProject(null), endpoint);

/** The same for one thing of it. */
export const seenProjectEndpoint = <Result, Fields = undefined>(
  endpoint: Single<InProject, Fields, Result>,
): Handler => single({ ...endpoint, role: SEEN } as Declaration, inProject(null), endpoint);

/** An endpoint below `/groups/:id` for those who have at least a role there. */
export const groupEndpoint = <Result, Fields = undefined>(
  endpoint: Single<InGroup, Fields, Result> & Least,
): Handler => single(endpoint as Declaration, inGroup(endpoint.role), endpoint);

/** A list below `/groups/:id` for those who have at least a role there. */
export const groupList = <Row, Fields = undefined>(
  endpoint: Listing<InGroup, Fields, Row> & Least,
): Handler => listing(endpoint as Declaration, inGroup(endpoint.role), endpoint);

/** An endpoint below `/groups/:id` for everybody who sees the group. */
export const openGroupEndpoint = <Result, Fields = undefined>(
  endpoint: Single<OpenGroup, Fields, Result>,
): Handler => single({ ...endpoint, anonymous: true } as Declaration, seenGroup, endpoint);

/** A list below `/groups/:id` for everybody who sees the group. */
export const openGroupList = <Row, Fields = undefined>(endpoint: Listing<OpenGroup, Fields, Row>): Handler =>
  listing({ ...endpoint, anonymous: true } as Declaration, seenGroup, endpoint);

/** A list below `/groups/:id` for everybody with a token who sees what is in the group itself. */
export const seenGroupList = <Row, Fields = undefined>(endpoint: Listing<InGroup, Fields, Row>): Handler =>
  listing({ ...endpoint, role: SEEN } as Declaration, insideGroup, endpoint);

/** The same for one thing of it. */
export const seenGroupEndpoint = <Result, Fields = undefined>(
  endpoint: Single<InGroup, Fields, Result>,
): Handler => single({ ...endpoint, role: SEEN } as Declaration, insideGroup, endpoint);

/** In the documents: whoever sees it. */
const SEEN = "anybody who sees it";

type Finder<Found> = (deps: Deps, reference: string, user: User | null) => Promise<Found | null>;

/** @throws ApiError 404 for what the caller may not see, as for what is not there. */
async function found<Found>(
  { deps, caller, path }: Call,
  find: Finder<Found>,
  thing: string,
): Promise<Found> {
  const seen = await find(deps, String(path["id"] ?? ""), caller?.user ?? null);
  if (seen === null) throw notFound(thing);
  return seen;
}

/**
 * Requires a role in a project or group that the caller sees.
 * @param look finds it again. A removal by another caller deletes the members first: the answer is 404 then, not 403.
 */
async function requireRole(held: Role | null, least: Role | null, look: () => unknown): Promise<void> {
  if (least === null || reaches(held, least)) return;
  await look();
  throw forbidden();
}

const seenProject: Admission<OpenProject> = async (call) => ({
  project: await found(call, findProject, "Project"),
  caller: call.caller,
});

const readCode: Admission<OpenProject> = async (call) => {
  const seen = await seenProject(call);
  if (!mayFetch(seen.project.visibility, seen.project.role)) throw forbidden();
  return seen;
};

const inCode: Admission<InProject> = async (call) => {
  const { project } = await readCode(call);
  const caller = known(call.caller);
  return { project, caller, user: caller.user };
};

const seenGroup: Admission<OpenGroup> = async (call) => ({
  group: await found(call, findGroup, "Group"),
  caller: call.caller,
});

const inProject =
  (least: Role | null): Admission<InProject> =>
  async (call) => {
    const { project } = await seenProject(call);
    await requireRole(project.role, least, () => seenProject(call));
    const caller = known(call.caller);
    return { project, caller, user: caller.user };
  };

const insideGroup: Admission<InGroup> = async (call) => {
  const who = await inGroup(null)(call);
  if (!seesInside(who.group)) throw forbidden();
  return who;
};

const inGroup =
  (least: Role | null): Admission<InGroup> =>
  async (call) => {
    const { group } = await seenGroup(call);
    await requireRole(group.role, least, () => seenGroup(call));
    const caller = known(call.caller);
    return { group, caller, user: caller.user };
  };
