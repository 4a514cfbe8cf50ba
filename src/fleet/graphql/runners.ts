import { GraphQLError } from "graphql";
import type { Principal } from "@/access/principal";
import {
  CONTACT_STATUSES,
  contactStatus,
  RUNNER_ACCESS_LEVELS,
  RUNNER_KINDS,
  type Runner,
} from "@/fleet/runners/rules";
import * as runners from "@/fleet/runners/service";
import type { Deps } from "@/kernel/deps/deps";

/** The context of the GraphQL resolvers. */
export type Context = Readonly<{ deps: Deps; caller: Principal }>;

/** Converts a name to upper case, because GraphQL enum values are written in upper case. */
const inCapitals = (word: string): string => word.toUpperCase();
const enumValue = <Word extends string>(words: readonly Word[], name: string | null | undefined) =>
  words.find((word) => inCapitals(word) === name);

const ID = /^gid:\/\/gitlab\/Ci::Runner\/([1-9]\d{0,8})$/;
const globalIdOf = ({ id }: Runner): string => `gid://gitlab/Ci::Runner/${id}`;

function numberOf(id: unknown): number {
  const [, digits] = ID.exec(typeof id === "string" ? id : "") ?? [];
  if (digits === undefined) throw new GraphQLError("The id does not represent an instance of Ci::Runner");
  return Number(digits);
}

/**
 * @param tags a function that reads the tags of the runner. `tags` is called only if the query requests the
 * tags.
 */
const runnerOf = (row: Runner, { clock }: Deps, tags: () => Promise<readonly string[]>) => ({
  id: globalIdOf(row),
  runnerType: inCapitals(row.kind),
  description: row.description,
  paused: row.paused,
  status: inCapitals(contactStatus(row.contactedAt, clock())),
  contactedAt: row.contactedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  locked: row.locked,
  runUntagged: row.runUntagged,
  accessLevel: inCapitals(row.accessLevel),
  maximumTimeout: row.maximumTimeout,
  maintenanceNote: row.maintenanceNote,
  tagList: tags,
  version: row.version,
  revision: row.revision,
  platformName: row.platform,
  architectureName: row.architecture,
  executorName: row.executor,
});

const detailsOf = (details: runners.RunnerDetails, deps: Deps) =>
  runnerOf(details, deps, async () => details.tags);

/** Returns a runner; null if the caller does not have permission to see the runner. */
export async function runner({ id }: Readonly<{ id: unknown }>, { deps, caller }: Context) {
  const details = await runners.readRunner(deps, caller.user, numberOf(id));
  return typeof details === "string" ? null : detailsOf(details, deps);
}

type ListArguments = Readonly<{
  first?: number | null;
  after?: string | null;
  paused?: boolean | null;
  status?: string | null;
  type?: string | null;
  tagList?: readonly string[] | null;
  versionPrefix?: string | null;
  sort?: string | null;
}>;

const ROWS_MAX = 100;
const TAGS_MAX = 50;

const cursorOf = ({ id }: Runner): string =>
  Buffer.from(JSON.stringify({ id: String(id) })).toString("base64url");

function afterOf(cursor: string): number {
  const [, digits] = /^\{"id":"([1-9]\d{0,8})"\}$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (digits === undefined) throw new GraphQLError("Please provide a valid cursor");
  return Number(digits);
}

function searchFrom({ paused, status, type, tagList, versionPrefix }: ListArguments): runners.RunnerSearch {
  const prefix = versionPrefix ?? "";
  if ((tagList ?? []).length > TAGS_MAX) throw new GraphQLError("Too many tags specified");
  if (!/^[\d.]{0,64}$/.test(prefix)) throw new GraphQLError("versionPrefix is invalid");
  return {
    kind: enumValue(RUNNER_KINDS, type),
    status: enumValue(CONTACT_STATUSES, status),
    paused: paused ?? undefined,
    tags: tagList ?? [],
    versionPrefix: prefix,
  };
}

/**
 * Returns the runners that the caller manages; for an administrator, all runners. The function runs two
 * database queries, and a third query if the tags are requested.
 */
export async function listRunners(args: ListArguments, { deps, caller }: Context) {
  const first = args.first ?? ROWS_MAX;
  if (first < 1) throw new GraphQLError("first must be at least 1");
  const visibility = caller.user.admin
    ? ({ of: "all" } as const)
    : ({ of: "user", id: caller.user.id } as const);
  const search = searchFrom(args);
  const after = args.after ? afterOf(args.after) : null;
  const { rows, next } = await runners.listRunners(deps, visibility, search, {
    kind: "keyset",
    perPage: Math.min(first, ROWS_MAX),
    cursor: after === null ? null : { direction: "next", key: after },
    descending: args.sort !== "CREATED_ASC",
  });
  const tags = onFirstUse(() => runners.tagsOfAll(deps, rows));
  const edges = rows.map((row) => ({
    cursor: cursorOf(row),
    node: runnerOf(row, deps, async () => (await tags()).get(row.id) ?? []),
  }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    // A GraphQL query can request the same field several times with different aliases.
    count: onFirstUse(() => runners.countRunners(deps, visibility, search)),
    pageInfo: {
      hasNextPage: next !== null,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/**
 * Returns a function that calls `read` only once. Every call of the returned function returns the promise of
 * the first call.
 */
function onFirstUse<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let promise: Promise<Value> | null = null;
  return () => {
    promise ??= make();
    return promise;
  };
}

type UpdateInput = Readonly<{
  id: unknown;
  description?: string | null;
  paused?: boolean | null;
  locked?: boolean | null;
  runUntagged?: boolean | null;
  accessLevel?: string | null;
  maximumTimeout?: number | null;
  maintenanceNote?: string | null;
  tagList?: readonly string[] | null;
  clientMutationId?: string | null;
}>;

/** The error that GitLab returns if a runner does not exist, or if the caller may not change the runner. */
const runnerNotFound = () =>
  new GraphQLError(
    "The resource that you are attempting to access does not exist or you don't have permission to perform this action",
  );

export async function runnerUpdate({ input }: Readonly<{ input: UpdateInput }>, { deps, caller }: Context) {
  const outcome = await runners.updateRunner(deps, caller.user, numberOf(input.id), {
    description: input.description ?? undefined,
    paused: input.paused ?? undefined,
    locked: input.locked ?? undefined,
    runUntagged: input.runUntagged ?? undefined,
    accessLevel: enumValue(RUNNER_ACCESS_LEVELS, input.accessLevel),
    maximumTimeout: input.maximumTimeout,
    maintenanceNote: input.maintenanceNote,
    tags: input.tagList ?? undefined,
  });
  if (typeof outcome === "string") throw runnerNotFound();
  const clientMutationId = input.clientMutationId ?? null;
  if ("problems" in outcome)
    return { runner: null, errors: errorSentences(outcome.problems), clientMutationId };
  return { runner: detailsOf(outcome, deps), errors: [], clientMutationId };
}

/** Formats the errors of fields as sentences, such as `Maximum timeout needs …`. */
const errorSentences = (problems: Readonly<Record<string, readonly string[]>>): readonly string[] =>
  Object.entries(problems).flatMap(([field, texts]) =>
    texts.map((text) => `${field.replaceAll("_", " ").replace(/^./, inCapitals)} ${text}`),
  );

type DeleteInput = Pick<UpdateInput, "id" | "clientMutationId">;

export async function runnerDelete({ input }: Readonly<{ input: DeleteInput }>, { deps, caller }: Context) {
  const refusal = await runners.deleteRunner(deps, caller.user, numberOf(input.id));
  if (refusal === "unknown" || refusal === "no_access") throw runnerNotFound();
  const errors = refusal === null ? [] : ["Runner associated with more than one project"];
  return { errors, clientMutationId: input.clientMutationId ?? null };
}
