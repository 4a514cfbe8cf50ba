import { anyOf, padToPowerOfFour } from "@/kernel/db/conditions";
import type { Queries } from "@/kernel/db/db";
import { Prisma } from "@/kernel/db/generated/sqlite/client";
import { literally } from "@/kernel/db/like";
import type { Reads } from "@/kernel/db/prepared";
import { countListed, pageOfList } from "@/kernel/paging/list-statements";
import {
  COUNTED_MAX,
  directionOf,
  keysetFilterOf,
  type Page,
  type Paging,
  pageById,
} from "@/kernel/paging/paging";
import { ancestorsOf } from "../hierarchy/descendants";
import { current, memberFrom } from "./row";
import { groupIdOf, type Member, type ProjectOrGroup } from "./rules";
import * as sql from "./store.sql";

/**
 * Returns the query condition for a search by name or username. E-mail addresses are private, so they are
 * never searched.
 */
const named = (search: string) =>
  search === ""
    ? {}
    : {
        user: {
          OR: [
            { usernameLower: { contains: literally(search.toLowerCase()) } },
            { name: { contains: literally(search) } },
          ],
        },
      };

/** Returns a page of the direct members of a project or a group. */
export function listDirect(
  { db, reads }: Queries,
  resource: ProjectOrGroup,
  { search, now }: Readonly<{ search: string; now: Date }>,
  paging: Paging,
): Promise<Page<Member>> {
  const read = async (ids: number[]) => (await sql.findByIds(reads, resource.kind, ids)).map(memberFrom);
  if (search === "" && paging.kind === "offset")
    return pageOfList(
      reads,
      sql.DIRECT_MEMBERS[resource.kind],
      { resourceId: resource.id, now },
      paging,
      read,
    );
  const common = { AND: [current(now), named(search), keysetFilterOf(paging)] };
  const orderBy = { id: directionOf(paging) } as const;
  const idsInOrder = { orderBy, select: { id: true } } as const;
  const isSearch = search !== "";
  const take = COUNTED_MAX + 1;
  if (resource.kind === "project") {
    const where = { projectId: resource.id, ...common };
    return pageById(paging, {
      isSearch,
      find: (window) => db.projectMember.findMany({ where, ...idsInOrder, ...window }),
      read,
      count: () => db.projectMember.count({ where, take }),
    });
  }
  const where = { groupId: resource.id, ...common };
  return pageById(paging, {
    isSearch,
    find: (window) => db.groupMember.findMany({ where, ...idsInOrder, ...window }),
    read,
    count: () => db.groupMember.count({ where, take }),
  });
}

/**
 * Returns a page of the direct and inherited members, ordered by user id. A member with several roles is listed once, with the highest role.
 */
export async function listAll(
  { db, reads }: Queries,
  resource: ProjectOrGroup,
  { search, now }: Readonly<{ search: string; now: Date }>,
  paging: Paging,
): Promise<Page<Member>> {
  const groupIds = await ancestorsOf(reads, groupIdOf(resource));
  const inGroups = { ...current(now), groupId: { in: padToPowerOfFour(groupIds) } };
  const inProject = { ...current(now), projectId: resource.kind === "project" ? resource.id : 0 };
  const where = {
    AND: [
      named(search).user ?? {},
      anyOf([
        ...(resource.kind === "project" ? [{ projectRoles: { some: inProject } }] : []),
        ...(groupIds.length === 0 ? [] : [{ groupRoles: { some: inGroups } }]),
      ]),
      keysetFilterOf(paging),
    ],
  };
  const id = directionOf(paging);
  const memberQuery = { resource, groupIds, now, paging };
  return pageById(paging, {
    isSearch: search !== "",
    find: (window) =>
      search === ""
        ? db.$queryRaw<{ id: number }[]>(idsOf(memberQuery, window))
        : db.user.findMany({ where, orderBy: { id }, select: { id: true }, ...window }),
    read: async (userIds) =>
      highestOf(await sql.membershipsOfUsers(reads, resource, groupIds, { userIds, now })),
    count: () => countAll(reads, memberQuery),
  });
}

/**
 * Counts the direct and inherited members, up to `COUNTED_MAX + 1`. A user may be a member of several of the
 * groups and the project, so the function counts the distinct users only if each group and the project have
 * few members.
 */
async function countAll(reads: Reads, { resource, groupIds, now }: MemberQuery): Promise<number> {
  const resources = [
    ...(resource.kind === "project" ? [{ kind: "project", id: resource.id } as const] : []),
    ...groupIds.map((id) => ({ kind: "group", id }) as const),
  ];
  const counts: number[] = [];
  for (const { kind, id } of resources) {
    const count = await countListed(reads, sql.DIRECT_MEMBERS[kind], { resourceId: id, now });
    if (count > COUNTED_MAX) return count;
    if (count > 0) counts.push(count);
  }
  const [only = 0] = counts;
  if (counts.length < 2) return only;
  return sql.countDistinctMembers(reads, resource, { groupIds, now, most: COUNTED_MAX + 1 });
}

/** Returns a direct or inherited member with the highest of their roles, or null. */
export async function findAnywhere(
  reads: Reads,
  resource: ProjectOrGroup,
  userId: number,
  now: Date,
): Promise<Member | null> {
  const groupIds = await ancestorsOf(reads, groupIdOf(resource));
  const rows = await sql.membershipsOfUsers(reads, resource, groupIds, { userIds: [userId], now });
  return highestOf(rows)[0] ?? null;
}

/** @param rows the memberships; for each user, the membership with the highest role comes first. */
const highestOf = (rows: readonly sql.MemberRow[]): readonly Member[] => [
  ...new Map(rows.toReversed().map((row) => [row.id, memberFrom(row)])).values(),
];

type MemberQuery = Readonly<{
  resource: ProjectOrGroup;
  groupIds: readonly number[];
  now: Date;
  paging: Paging;
}>;

/**
 * Returns a statement that selects the distinct ids of the users who are members of a project or of groups,
 * in the order of the page. For the project and for each group, the statement reads only the index entries up
 * to the end of the requested page. A query that begins with the table of users would read all memberships.
 */
function idsOf(
  { resource, groupIds, now, paging }: MemberQuery,
  { skip, take }: Readonly<{ skip: number; take: number }>,
): Prisma.Sql {
  const order = Prisma.raw(directionOf(paging));
  const { gt = null, lt = null } = keysetFilterOf(paging).id ?? {};
  const conditions = [
    ...(gt === null ? [] : [Prisma.sql`AND m."userId" > ${gt}`]),
    ...(lt === null ? [] : [Prisma.sql`AND m."userId" < ${lt}`]),
  ];
  const memberIds = (from: Prisma.Sql) => Prisma.sql`SELECT p."userId" AS id FROM (
    SELECT m."userId" FROM ${from} AND (m."expiresAt" IS NULL OR m."expiresAt" > ${now})
    ${Prisma.join([Prisma.empty, ...conditions], " ")} ORDER BY m."userId" ${order} LIMIT ${skip + take}) p`;
  const direct = Prisma.sql`"ProjectMember" m WHERE m."projectId" = ${resource.id}`;
  const inherited = groupIds.map((id) => Prisma.sql`"GroupMember" m WHERE m."groupId" = ${id}`);
  const parts = [...(resource.kind === "project" ? [direct] : []), ...inherited].map(memberIds);
  // There are no subqueries to combine if the group no longer exists.
  if (parts.length === 0) return Prisma.sql`SELECT 0 AS id WHERE 1 = 0`;
  // With an explicit order, PostgreSQL merges the sorted results of the subqueries instead of sorting all
  // rows.
  return Prisma.sql`SELECT e.id FROM (${Prisma.join(parts, " UNION ALL ")} ORDER BY id ${order}) e
    GROUP BY e.id ORDER BY e.id ${order} LIMIT ${take} OFFSET ${skip}`;
}
