import type { User } from "@/access/principal";
import { ALL_ROLES, isRole } from "@/access/roles";
import { isVisibility, VISIBILITIES, type Visibility } from "@/access/visibility";
import type { Deps } from "@/kernel/deps/deps";
import type { AuthorizedGroup } from "@/workspace/groups/rules";
import { createGroup, findGroup } from "@/workspace/groups/service";
import { addMember, changeMember, findMember } from "@/workspace/members/service";
import { createProject, findProject, resourceOf } from "@/workspace/projects/service";
import { defineCommand, required, UsageError } from "./command";
import { requireUser } from "./user";

const projectCreate = defineCommand({
  name: "project create",
  usage: "--path GROUP/NAME --owner U [--visibility private|internal|public]",
  about: "Create a project and its missing parent groups.",
  options: { path: "text", owner: "text", visibility: "text" },
  run: async ({ open }, options) => {
    const segments = required(options.path, "path").split("/");
    const visibility = options.visibility ?? "private";
    const login = required(options.owner, "owner");
    if (!isVisibility(visibility))
      throw new UsageError(`--visibility must be one of ${VISIBILITIES.join(", ")}.`);
    const path = segments.pop() ?? "";
    if (segments.length === 0) throw new UsageError("--path must be GROUP/NAME.");
    const { deps } = await open();
    const owner = await requireUser(deps, login);
    // The namespace of a user is not a group.
    const own = segments.length === 1 && segments[0]?.toLowerCase() === owner.username.toLowerCase();
    const group = own ? null : await groupAt(deps, segments, owner, visibility);
    const outcome = await createProject(deps, owner, { path, visibility }, group);
    const { id, fullPath } = unrefused(outcome, login).project;
    return { text: String(id), json: { id, path: fullPath, visibility } };
  },
});

/**
 * Returns the group at a path. Missing groups are created with the visibility of the project, unless an
 * existing parent group does not allow this visibility.
 */
async function groupAt(
  deps: Deps,
  segments: readonly string[],
  owner: User,
  visibility: Visibility,
): Promise<AuthorizedGroup> {
  let parent: AuthorizedGroup | null = null;
  for (const [index, path] of segments.entries()) {
    const fullPath = segments.slice(0, index + 1).join("/");
    const group: AuthorizedGroup | null = await findGroup(deps, fullPath, owner);
    if (group === null)
      unrefused(await createGroup(deps, owner, { name: path, path, visibility }, parent), owner.username);
    parent = group ?? (await findGroup(deps, fullPath, owner));
  }
  if (parent === null) throw new UsageError(`${owner.username} cannot see the group ${segments.join("/")}.`);
  return parent;
}

type Refusable = "not_allowed" | "gone" | Readonly<{ problems: Readonly<Record<string, readonly string[]>> }>;

function unrefused<Outcome>(outcome: Outcome | Refusable, login: string): Exclude<Outcome, Refusable> {
  if (outcome === "not_allowed")
    throw new UsageError(`${login} is not allowed to create a project or a group at this path.`);
  if (outcome === "gone") throw new UsageError("The parent group no longer exists.");
  if (typeof outcome === "object" && outcome !== null && "problems" in outcome) {
    const problems = Object.entries(outcome.problems as Readonly<Record<string, readonly string[]>>);
    const optionOf = (field: string) => (field === "visibility_level" ? "--visibility" : "--path");
    throw new UsageError(
      problems.map(([field, texts]) => `${optionOf(field)} ${texts.join(", ")}`).join("\n"),
    );
  }
  return outcome as Exclude<Outcome, Refusable>;
}

const memberAdd = defineCommand({
  name: "member add",
  usage: `--project GROUP/NAME --user U --role ${ALL_ROLES.join("|")}`,
  about: "Add a member to a project, or change the member's role.",
  options: { project: "text", user: "text", role: "text" },
  run: async ({ open }, options) => {
    const path = required(options.project, "project");
    const login = required(options.user, "user");
    const role = required(options.role, "role");
    if (!isRole(role)) throw new UsageError(`--role must be one of ${ALL_ROLES.join(", ")}.`);
    const { deps } = await open();
    const user = await requireUser(deps, login);
    const operator: User = { ...user, admin: true };
    const project = await findProject(deps, path, operator);
    if (project === null) throw new UsageError(`There is no project ${path}.`);
    const change = { resource: resourceOf(project), by: user, held: "owner" } as const;
    const isMember = (await findMember(deps, change.resource, user.id)) !== null;
    const outcome = isMember
      ? await changeMember(deps, change, user.id, { role })
      : await addMember(deps, change, user, { role, expiresAt: null });
    if (typeof outcome === "string") throw new UsageError(REFUSALS[outcome]);
    return {
      text: `${user.username} now has the role ${role} in ${project.fullPath}.`,
      json: { project: project.fullPath, user: user.username, role },
    };
  },
});

const REFUSALS = {
  not_allowed: "The bot user of an access token cannot be added as a member.",
  is_member: "The user is already a member.",
  not_member: "The user is not a member.",
  last_owner: "The user is the last owner of the project. First give another member the role owner.",
  lower_than_inherited: "The user already has a higher role through a parent group.",
} as const;

export const commands = [projectCreate, memberAdd];
