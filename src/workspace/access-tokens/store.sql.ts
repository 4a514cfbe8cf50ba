import { flag, integer } from "@/kernel/db/column-types";
import type { Reads } from "@/kernel/db/prepared";
import { statement } from "@/kernel/db/statement";
import type { ProjectOrGroup } from "../members/rules";

/**
 * The SQL conditions that select the bots `b` of a project or a group. The database row of a project's bot also
 * contains the id of the project's group.
 */
const BELONGS = {
  project: `b."projectId" = :resourceId`,
  group: `b."groupId" = :resourceId AND b."projectId" IS NULL`,
} as const satisfies Record<ProjectOrGroup["kind"], string>;

const botIdsOf = (kind: ProjectOrGroup["kind"]) =>
  statement({
    name: `bots_of_${kind}`,
    parameters: { resourceId: integer, most: integer },
    columns: { userId: [`b."userId"`, integer] },
    sql: (columns) => `SELECT ${columns} FROM "AccessTokenBot" b WHERE ${BELONGS[kind]} LIMIT :most`,
  });
const BOT_IDS = { project: botIdsOf("project"), group: botIdsOf("group") } as const;

/** Returns the ids of at most `most` bots of a project or a group. */
export const botIds = async (
  reads: Reads,
  { kind, id }: ProjectOrGroup,
  most: number,
): Promise<readonly number[]> =>
  (await reads.all(BOT_IDS[kind], { resourceId: id, most })).map(({ userId }) => userId);

const isBotOfAny = (kind: ProjectOrGroup["kind"]) =>
  statement({
    name: `is_bot_of_${kind}`,
    parameters: { resourceId: integer, userId: integer },
    columns: {
      isBot: [
        `EXISTS (SELECT 1 FROM "AccessTokenBot" b WHERE b."userId" = :userId AND ${BELONGS[kind]})`,
        flag,
      ],
    },
    sql: (columns) => `SELECT ${columns}`,
  });
const IS_BOT = { project: isBotOfAny("project"), group: isBotOfAny("group") } as const;

/** Returns whether a user is a bot of an access token of this project or group. */
export const isBotOf = async (reads: Reads, { kind, id }: ProjectOrGroup, userId: number): Promise<boolean> =>
  (await reads.first(IS_BOT[kind], { resourceId: id, userId }))?.isBot ?? false;
