import { z } from "zod";
import type { User } from "@/access/principal";
import { type Role, roleOf } from "@/access/roles";
import { ApiError, badRequest, conflict, forbidden, forbiddenBecause, notFound } from "@/http-api/errors";
import { accessLevel, dayBegin, id, text } from "@/http-api/fields";
import * as users from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import * as groups from "@/workspace/groups/service";
import type { Member, ProjectOrGroup } from "@/workspace/members/rules";
import * as members from "@/workspace/members/service";
import * as projects from "@/workspace/projects/service";
import type { InGroup, InProject } from "./access-rules";

/** The project or group in the URL of a request to the members API, and the caller. */
type InResource = InProject | InGroup;

const resourceOf = (context: InResource): ProjectOrGroup =>
  "project" in context ? projects.resourceOf(context.project) : groups.resourceOf(context.group);

const heldIn = (context: InResource): Role | null =>
  ("project" in context ? context.project : context.group).role;

export const memberSearch = z.object({ query: text(255).optional() });

/** Returns a page of the direct members of a project or a group. */
export const listMembers = (
  deps: Deps,
  context: InResource,
  { query = "" }: z.infer<typeof memberSearch>,
  paging: Paging,
): Promise<Page<Member>> =>
  members.listMembers(deps, resourceOf(context), { search: query, inherited: false }, paging);

/** Returns a page of the direct and inherited members of a project or a group. */
export const listAllMembers = (
  deps: Deps,
  context: InResource,
  { query = "" }: z.infer<typeof memberSearch>,
  paging: Paging,
): Promise<Page<Member>> =>
  members.listMembers(deps, resourceOf(context), { search: query, inherited: true }, paging);

export const memberReference = z.object({ user_id: id });
type Reference = z.infer<typeof memberReference>;

/** Returns a direct member of a project or a group. @throws ApiError 404 if the user is not a direct member. */
export async function readMember(deps: Deps, context: InResource, { user_id }: Reference): Promise<Member> {
  return requireMember(await members.findMember(deps, resourceOf(context), user_id));
}

/** Returns a direct or inherited member of a project or a group. @throws ApiError 404 if the user is not a member. */
export async function readAnyMember(
  deps: Deps,
  context: InResource,
  { user_id }: Reference,
): Promise<Member> {
  return requireMember(await members.findMemberAnywhere(deps, resourceOf(context), user_id));
}

function requireMember(member: Member | null): Member {
  if (member === null) throw notFound();
  return member;
}

/** The expiry date of a membership. An empty string removes the expiry date. */
export const ends = z
  .union([z.literal("").transform(() => null), dayBegin, z.null()])
  .meta({ type: ["string", "null"], format: "date" })
  .optional();

export const newMember = z.object({
  user_id: id.optional(),
  username: text(255).optional(),
  access_level: accessLevel,
  expires_at: ends,
});

/** Adds a member to a project or a group. @throws ApiError 400, 403, 404 or 409. */
export async function addMember(
  deps: Deps,
  context: InResource,
  { user_id, username, access_level, expires_at = null }: z.infer<typeof newMember>,
): Promise<Member> {
  const change = { resource: resourceOf(context), by: context.user, held: heldIn(context) };
  const user = await findUser(deps, user_id, username);
  requireFutureDate(deps, expires_at);
  return requireAccepted(
    await members.addMember(deps, change, user, { role: roleAt(access_level), expiresAt: expires_at }),
  );
}

async function findUser(deps: Deps, userId: number | undefined, username: string | undefined): Promise<User> {
  if (userId === undefined && username === undefined)
    throw new ApiError(400, {
      error: "user_id, username are missing, exactly one parameter must be provided",
    });
  const user =
    userId === undefined ? await users.find(deps, username ?? "") : await users.findById(deps, userId);
  // Users cannot be added by e-mail address, because the response would reveal which accounts exist.
  if (user === null || username?.includes("@") === true) throw notFound("User");
  return user;
}

export const roleAt = (accessLevel: number): Role => roleOf([accessLevel]) ?? "guest";

/** @throws ApiError 400 if the expiry date is not in the future. */
export function requireFutureDate({ clock }: Deps, expiresAt: Date | null | undefined): void {
  if (expiresAt && expiresAt <= clock()) throw badRequest("expires_at must be a date in the future");
}

export const memberChange = z.object({ user_id: id, access_level: accessLevel, expires_at: ends });

/** Changes the role and the expiry date of a member. @throws ApiError 400, 403 or 404. */
export async function changeMember(
  deps: Deps,
  context: InResource,
  { user_id, access_level, expires_at }: z.infer<typeof memberChange>,
): Promise<Member> {
  const change = { resource: resourceOf(context), by: context.user, held: heldIn(context) };
  requireFutureDate(deps, expires_at);
  const terms = { role: roleAt(access_level), expiresAt: expires_at };
  return requireAccepted(await members.changeMember(deps, change, user_id, terms));
}

/** Removes a member. Members may always remove themselves. @throws ApiError 403 or 404. */
export async function removeMember(deps: Deps, context: InResource, { user_id }: Reference): Promise<null> {
  const change = { resource: resourceOf(context), by: context.user, held: heldIn(context) };
  const refusal = await members.removeMember(deps, change, user_id);
  if (refusal !== null) throw refusalError(refusal);
  return null;
}

function requireAccepted(outcome: Member | members.MemberRefusal): Member {
  if (typeof outcome === "string") throw refusalError(outcome);
  return outcome;
}

function refusalError(refusal: members.MemberRefusal): ApiError {
  if (refusal === "not_member") return notFound();
  if (refusal === "is_member") return conflict("Member already exists");
  if (refusal === "last_owner")
    return forbiddenBecause("At least one owner must remain. Make another user an owner first.");
  if (refusal === "not_allowed") return forbidden();
  return badRequest(
    "access_level is lower than the access level that the member inherits from a parent group",
  );
}
