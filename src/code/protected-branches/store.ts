import type { Db } from "@/kernel/db/db";
import type { Reads } from "@/kernel/db/prepared";
import { ACCESS_LEVELS, type AccessLevel, type ProtectedBranch, type Protection } from "./rules";
import { findByProject, type RuleRow } from "./store.sql";

/**
 * A stored branch protection rule. A rule with `followsDefault` was created for the default branch of the
 * project, and is renamed when another branch becomes the default branch.
 */
export type StoredRule = ProtectedBranch & Readonly<{ followsDefault: boolean }>;

const levelFrom = (value: number): AccessLevel => ACCESS_LEVELS.find((level) => level === value) ?? 0;

const ruleFrom = ({ id, name, allowForcePush, followsDefault, ...levels }: RuleRow): StoredRule => ({
  id,
  name,
  pushAccessLevel: levelFrom(levels.pushAccessLevel),
  mergeAccessLevel: levelFrom(levels.mergeAccessLevel),
  allowForcePush,
  followsDefault,
});

/** Returns all branch protection rules of a project, ordered by name. */
export async function listRules(reads: Reads, projectId: number): Promise<readonly StoredRule[]> {
  return (await findByProject(reads, projectId)).map(ruleFrom);
}

export type NewRule = Protection &
  Readonly<{ projectId: number; name: string; followsDefault: boolean; createdAt: Date }>;

/** Creates a branch protection rule. @throws P2002 if the project already has a rule with this name. */
export async function insertRule(db: Db, rule: NewRule): Promise<ProtectedBranch> {
  return ruleFrom(await db.protectedBranch.create({ data: rule }));
}

/** Changes a branch protection rule. @returns false if the rule no longer exists. */
export async function updateRule(db: Db, id: number, changes: Partial<Protection>): Promise<boolean> {
  return (await db.protectedBranch.updateMany({ where: { id }, data: changes })).count === 1;
}

/** Deletes a branch protection rule. @returns false if the rule no longer exists. */
export async function removeRule(db: Db, id: number): Promise<boolean> {
  return (await db.protectedBranch.deleteMany({ where: { id } })).count === 1;
}

/**
 * Renames the branch protection rule of the default branch. If another rule already has the new name, the
 * rule keeps the old name, and no longer follows the default branch.
 */
export async function followDefault(
  db: Db,
  { id, name }: Pick<StoredRule, "id" | "name">,
  to: Readonly<{ name: string; isTaken: boolean }>,
): Promise<void> {
  const data = to.isTaken ? { followsDefault: false } : { name: to.name };
  await db.protectedBranch.updateMany({ where: { id, name, followsDefault: true }, data });
}
