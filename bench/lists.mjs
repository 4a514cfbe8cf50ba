import { createHash, randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startInstance } from "../scripts/instance.mjs";
import { startPostgres } from "../scripts/postgres.mjs";
import { StepFailed } from "../scripts/prepare-step.mjs";
import { freePort, runProgram } from "../scripts/program.mjs";

/** @import { Later } from "../scripts/temporarily.mjs" */

/** The target for the median response time of a list page, with 100,000 stored rows of the listed kind. */
export const LIST_MEDIAN_MS_MAX = 100;

const LOOKS = 5;
const WARM_UPS = 1;

const FIRST = "per_page=20";
/**
 * The last page of a list with offset pagination. For comparison, the page with keyset pagination that begins
 * at about the same row is also measured.
 */
const FAR = "per_page=100&page=501";
const KEYSET = "per_page=100&pagination=keyset&cursor=50000";
const EVERY = [FIRST, FAR, KEYSET];
const ALL_CALLERS = ["root", "ann", "bob", "nobody"];
const users = ["root", "ann", "bob"];

/**
 * The paths of the measured lists, with the callers and the queries of each path. `GROUP` and `PROJECT` are
 * the group and the project with the most rows.
 * @type {readonly (readonly [path: string, callers: readonly string[], queries: readonly string[]])[]}
 */
const LISTS = [
  [
    "/users",
    users,
    [
      ...EVERY,
      "search=person99",
      "search=Person+9999",
      "search=nowhere",
      "username=person77777",
      "active=true",
    ],
  ],
  ["/users/2/projects", users, EVERY],
  [
    "/users",
    ["root"],
    [
      "blocked=true",
      "admins=true",
      "created_after=2100-01-01",
      "created_before=2000-01-01",
      "two_factor=enabled",
    ],
  ],
  [
    "/projects",
    ALL_CALLERS,
    [
      ...EVERY,
      "order_by=name",
      "order_by=path&sort=asc",
      "order_by=id",
      "order_by=last_activity_at",
      `order_by=last_activity_at&${FAR}`,
      "visibility=public",
      "visibility=private",
      "search=ject999",
      "search=nowhere",
    ],
  ],
  [
    "/projects",
    ["root", "ann"],
    [
      ...["id_after=99990", "id_before=10", "id_after=50000&order_by=id&sort=asc", "archived=true"],
      ...["last_activity_after=2100-01-01", "last_activity_before=2000-01-01"],
    ],
  ],
  ["/projects", users, ["membership=true", "owned=true", "min_access_level=40", `membership=true&${FAR}`]],
  ["/groups", ALL_CALLERS, [...EVERY, "search=group999", "search=nowhere", "top_level_only=true"]],
  ["/groups", users, ["owned=true", "min_access_level=30"]],
  [
    "/namespaces",
    ["root", "ann"],
    [FIRST, FAR, "search=person999", "search=nowhere", "owned_only=true", "top_level_only=true"],
  ],
  ["/groups/GROUP/subgroups", ["root", "ann"], [...EVERY, "search=group999"]],
  [
    "/groups/GROUP/projects",
    ["root", "ann"],
    [...EVERY, "include_subgroups=true", "search=ject999", "order_by=name"],
  ],
  ["/groups/GROUP/members", ["root", "ann"], [...EVERY, "query=person999", "query=nowhere"]],
  ["/groups/GROUP/members/all", ["root", "ann"], [...EVERY, "query=person999", "query=nowhere"]],
  ["/projects/PROJECT/members", ["root", "ann"], [...EVERY, "query=person999", "query=nowhere"]],
  ["/projects/PROJECT/members/all", ["root", "ann"], [...EVERY, "query=person999", "query=nowhere"]],
  ["/projects/PROJECT/access_tokens", ["root"], [FIRST, "state=active"]],
  ["/projects/PROJECT/deploy_tokens", ["root"], [FIRST, "active=true"]],
  ["/groups/GROUP/deploy_tokens", ["root"], [FIRST, "active=true"]],
  ["/deploy_tokens", ["root"], [FIRST]],
  ["/projects/PROJECT/invitations", ["root"], [FIRST]],
  ["/groups/GROUP/invitations", ["root"], [FIRST]],
  ["/users/1/impersonation_tokens", ["root"], [FIRST, "state=active"]],
  ["/groups/GROUP/access_tokens", ["root"], [FIRST, "state=active"]],
  [
    "/personal_access_tokens",
    ["root", "ann"],
    [...EVERY, "state=active", "state=inactive", "revoked=true", "search=token+999", "search=nowhere"],
  ],
  ["/applications", ["root"], EVERY],
  ["/deprecated_uses", ["root", "ann"], [FIRST, FAR, "scope=applications"]],
  ["/deprecated_uses", ["root"], ["scope=all", `scope=all&${FAR}`]],
  [
    "/runners/all",
    ["root"],
    [
      ...EVERY,
      "type=group_type",
      "status=online",
      "status=offline",
      "status=not_connected",
      "paused=true",
      "tag_list=arm",
      "tag_list=none",
      "version_prefix=17.1",
      "version_prefix=16.",
    ],
  ],
  ["/runners", users, [...EVERY, "type=group_type", "status=online", "tag_list=arm"]],
  ["/groups/GROUP/runners", ["ann"], [...EVERY, "status=online", "tag_list=arm"]],
  ["/projects/PROJECT/runners", ["ann"], [...EVERY, "status=online", "tag_list=arm", "paused=true"]],
  [
    "/projects/PROJECT/packages",
    ["root", "ann"],
    [
      ...EVERY,
      "order_by=name",
      "order_by=version",
      "order_by=type",
      "package_name=age999",
      "package_name=nowhere",
    ],
  ],
  ["/projects/PROJECT/packages/1/package_files", ["ann"], EVERY],
  ["/projects/PROJECT/registry/repositories", ["ann"], EVERY],
  ["/groups/GROUP/registry/repositories", ["ann"], EVERY],
  [
    "/projects/PROJECT/error_tracking/errors",
    ["ann"],
    [
      FIRST,
      "per_page=100&page=60",
      "status=all",
      "sort=count",
      "sort=first_seen",
      "query=broke",
      "query=nowhere",
      "environment=staging",
      "environment=nowhere",
      "status=all&sort=count",
    ],
  ],
  ["/projects/PROJECT/error_tracking/errors/1/events", ["ann"], [FIRST]],
  ["/projects/PROJECT/error_tracking/errors/1/notes", ["ann"], [FIRST, "sort=asc"]],
  ["/projects/PROJECT/error_tracking/client_keys", ["ann"], [FIRST]],
  [
    "/projects/PROJECT/merge_requests",
    ["root", "ann"],
    [
      ...[FIRST, "per_page=100&page=401", KEYSET, "state=opened", "order_by=updated_at", "order_by=title"],
      ...["order_by=merged_at", "state=merged&order_by=updated_at", "search=change+999", "search=nowhere"],
      ...["labels=rare", "labels=bug", "labels=none", "author_username=ann", "author_username=person77777"],
      ...["assignee_id=ANN", "assignee_id=None", "reviewer_id=Any", "source_branch=topic77777"],
      ...["target_branch=main", "target_branch=nowhere", "draft=true", "iids[]=5"],
      ...["created_after=2026-01-01T00:00:00Z", "updated_before=2026-01-01T00:00:00Z"],
    ],
  ],
  ["/projects/PROJECT/merge_requests/2/versions", ["ann"], EVERY],
  [
    "/groups/GROUP/merge_requests",
    ["root", "ann"],
    [...EVERY, "state=opened", "search=nowhere", "labels=rare", "author_username=ann"],
  ],
  [
    "/merge_requests",
    users,
    [
      ...EVERY,
      "scope=all",
      `scope=all&${FAR}`,
      `scope=all&${KEYSET}`,
      "scope=assigned_to_me",
      "scope=reviews_for_me",
      "scope=all&state=opened",
      "scope=all&order_by=updated_at",
      "scope=all&order_by=title",
      "scope=all&search=change+999",
      "scope=all&search=nowhere",
      "scope=all&labels=rare",
      "scope=all&author_username=person77777",
      ...["scope=all&not[author_id]=ANN", "scope=all&not[labels]=bug", "scope=all&not[assignee_id]=ANN"],
      ...["scope=all&approved_by_ids=ANN", "scope=all&approved_by_ids=Any", "scope=all&approved_by_ids=None"],
    ],
  ],
  ["/hooks", ["root"], [FIRST]],
  ["/groups/GROUP/hooks", ["root"], [FIRST]],
  ["/projects/PROJECT/hooks", ["root"], [FIRST]],
  ["/features", ["root"], [FIRST]],
  ["/geo_sites", ["root"], [FIRST]],
  ["/geo_sites/status", ["root"], [FIRST]],
];

/** @typedef {{ path: string, who: string, query: string, median: number, slowest: number }} Measured */

/**
 * Measures the response times of list pages, one after the other, on a separate instance with many rows.
 * @param {string} folder
 * @param {Later} later
 * @param {"sqlite" | "postgresql"} kind
 * @returns {Promise<readonly Measured[]>} times in milliseconds.
 * @throws StepFailed if the status of a response is not 200.
 */
export async function measureLists(folder, later, kind) {
  const place = join(folder, `lists-${kind}`);
  await mkdir(place);
  const url = kind === "sqlite" ? `file:${join(place, "data/gatehouse.db")}` : await newPostgresql(later);
  const env = {
    ...(kind === "sqlite" ? {} : { DATABASE_URL: url }),
    REGISTRY_URL: "https://registry.example.com",
    REGISTRY_NOTIFICATION_TOKEN: randomBytes(32).toString("hex"),
  };
  const { baseUrl } = await startInstance({ port: await freePort(), folder: place, env, later });
  const tokens = Object.fromEntries(users.map((name) => [name, `ghpt_${randomBytes(32).toString("hex")}`]));
  const digests = Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => [name, createHash("sha256").update(token).digest("hex")]),
  );
  const filled = await runProgram(["bench/fill-lists.mjs", url], { input: JSON.stringify(digests), later });
  /** @type {{ ann: number, group: number, project: number }} */
  const { ann, group, project } = JSON.parse(filled);
  const measured = [];
  for (const [pattern, callers, queries] of LISTS) {
    const path = pattern.replace("GROUP", String(group)).replace("PROJECT", String(project));
    for (const query of queries)
      for (const who of callers) {
        const url = `${baseUrl}/api/v4${path}?${query.replace("ANN", String(ann))}`;
        measured.push({ path: pattern, who, query, ...(await timesOf(url, tokens[who])) });
      }
  }
  return measured;
}

/**
 * @param {string} url
 * @param {string | undefined} token the token of the user; undefined for anonymous requests.
 */
async function timesOf(url, token) {
  // Each request opens a connection, because the server may close an idle keep-alive connection at the moment
  // when the client uses the connection again.
  /** @type {Record<string, string>} */
  const headers = { connection: "close", ...(token === undefined ? {} : { "private-token": token }) };
  /** @type {number[]} */
  const times = [];
  for (let look = 0; look < WARM_UPS + LOOKS; look += 1) {
    const begin = performance.now();
    const response = await fetch(url, { headers });
    const text = await response.text();
    if (look >= WARM_UPS) times.push(performance.now() - begin);
    if (response.status !== 200) throw new StepFailed(`${url} returned ${response.status}: ${text}`);
  }
  times.sort((a, b) => a - b);
  return { median: times[LOOKS >> 1] ?? Number.NaN, slowest: times[LOOKS - 1] ?? Number.NaN };
}

/** @param {Later} later */
async function newPostgresql(later) {
  const server = await startPostgres();
  later(server.stop);
  return server.url("postgres");
}
