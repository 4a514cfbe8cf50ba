import type { Db } from "@/kernel/db/db";
import type { ProjectOrGroup } from "../members/rules";

/**
 * Returns the query condition that selects the bots of a project or a group. The database row of a project's
 * bot also contains the id of the project's group.
 */
export const botsOf = ({ kind, id }: ProjectOrGroup) =>
  kind === "project" ? { projectId: id } : { groupId: id, projectId: null };

export async function insert(
  db: Db,
  resource: ProjectOrGroup,
  bot: Readonly<{ userId: number; creatorId: number }>,
): Promise<void> {
  const groupId = resource.kind === "group" ? resource.id : resource.groupId;
  const projectId = resource.kind === "project" ? resource.id : null;
  await db.accessTokenBot.create({ data: { ...bot, projectId, groupId } });
}

/** Returns the project or group to which a bot belongs, or null. */
export async function resourceOfBot(db: Db, userId: number): Promise<ProjectOrGroup | null> {
  const group = { select: { id: true, fullPath: true } };
  const project = { select: { id: true, fullPath: true, groupId: true } };
  const row = await db.accessTokenBot.findUnique({ where: { userId }, select: { group, project } });
  if (row?.project) return { kind: "project", ...row.project };
  return row?.group ? { kind: "group", ...row.group } : null;
}

/** Returns the ids of all bots of a project or a group. */
export async function botIds(db: Db, resource: ProjectOrGroup): Promise<readonly number[]> {
  const rows = await db.accessTokenBot.findMany({ where: botsOf(resource), select: { userId: true } });
  return rows.map(({ userId }) => userId);
}

/** Stores the id of the new group of a project in the rows of the project's bots. */
export async function setGroup(db: Db, projectId: number, groupId: number | null): Promise<void> {
  await db.accessTokenBot.updateMany({ where: { projectId }, data: { groupId } });
}

/** Sets the user whose rights limit the tokens of a bot. */
export async function setCreator(db: Db, userId: number, creatorId: number): Promise<void> {
  await db.accessTokenBot.updateMany({ where: { userId }, data: { creatorId } });
}

/**
 * For all bots whose tokens are limited by the rights of the user `from`, replaces this user by the user
 * `to`.
 */
export async function replaceCreator(db: Db, from: number, to: number): Promise<void> {
  await db.accessTokenBot.updateMany({ where: { creatorId: from }, data: { creatorId: to } });
}
