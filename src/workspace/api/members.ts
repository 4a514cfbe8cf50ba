import { z } from "zod";
import type { User } from "@/access/principal";
import { type Role, roleOf } from "@/access/roles";
import { ApiError, badRequest, conflict, forbidden, forbiddenBecause, notFound } from "@/http-api/errors";
import { accessLevel, dayBegin, id, text } from "@/http-api/fields";
import * as users from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import type { Page, Paging } from "@/kernel/paging/paging";
import * as groups from "@/workspace/groups/service";
import type { Member, Place } from "@/workspace/members/rules";
import * as members from "@/workspace/members/service";
import * as projects from "@/workspace/projects/service";
import type { InGroup, InProject } from "./places";

/** Whoever is asked about in a project or in a group: both have members. */
type InPlace = InProject | InGroup;

const placeOf = (who: InPlace): Place =>
  "project" in who ? projects.placeOf(who.project) : groups.placeOf(who.group);

const heldIn = (who: InPlace): Role | null => ("project" in who ? who.project : who.group).role;

export const memberSearch = z.object({ query: text(255).optional() });

/** Those who are members right here. */
export const listMembers = (
  deps: Deps,
  who: InPlace,
  { query = "" }: z.infer<typeof memberSearch>,
  paging: Paging,
): Promise<Page<Member>> =>
  members.listMembers(deps, placeOf(who), { search: query, inherited: false }, paging);

/** The members of the groups above, too. */
export const listAllMembers = (
  deps: Deps,
  who: InPlace,
  { query = "" }: z.infer<typeof memberSearch>,
  paging: Paging,
): Promise<Page<Member>> =>
  members.listMembers(deps, placeOf(who), { search: query, inherited: true }, paging);

export const memberReference = z.object({ user_id: id });
type Reference = z.infer<typeof memberReference>;

/** @throws ApiError 404 for whom is no member right here. */
export async function readMember(deps: Deps, who: InPlace, { user_id }: Reference): Promise<Member> {
  return present(await members.findMember(deps, placeOf(who), user_id));
}

/** @throws ApiError 404 for whom is no member at all. */
export async function readAnyMember(deps: Deps, who: InPlace, { user_id }: Reference): Promise<Member> {
  return present(await members.findMemberAnywhere(deps, placeOf(who), user_id));
}

function present(member: Member | null): Member {
  if (member === null) throw notFound();
  return member;
}

/** An empty text takes the day away. */
const ends = z
  .union([z.literal("").transform(() => null), dayBegin, z.null()])
  .meta({ type: ["string", "null"], format: "date" })
  .optional();

export const newMember = z.object({
  user_id: id.optional(),
  username: text(255).optional(),
  access_level: accessLevel,
  expires_at: ends,
});

/** @throws ApiError 400, 403, 404 or 409, by what is wrong. */
export async function addMember(
  deps: Deps,
  who: InPlace,
  { user_id, username, access_level, expires_at = null }: z.infer<typeof newMember>,
): Promise<Member> {
  const change = { place: placeOf(who), by: who.user, held: heldIn(who) };
  const user = await userNamed(deps, user_id, username);
  judgeDay(deps, expires_at);
  return judged(
    await members.addMember(deps, change, user, { role: roleAt(access_level), expiresAt: expires_at }),
  );
}

async function userNamed(
  deps: Deps,
  userId: number | undefined,
  username: string | undefined,
): Promise<User> {
  if (userId === undefined && username === undefined)
    throw new ApiError(400, {
      error: "user_id, username are missing, exactly one parameter must be provided",
    });
  const user =
    userId === undefined ? await users.find(deps, username ?? "") : await users.findById(deps, userId);
  // An address must not find anybody: who has an account is nobody's business.
  if (user === null || username?.includes("@") === true) throw notFound("User");
  return user;
}

const roleAt = (accessLevel: number): Role => roleOf([accessLevel]) ?? "guest";

function judgeDay({ clock }: Deps, expiresAt: Date | null | undefined): void {
  if (expiresAt && expiresAt <= clock()) throw badRequest("expires_at must be a day in the future");
}

export const memberChange = z.object({ user_id: id, access_level: accessLevel, expires_at: ends });

/** @throws ApiError 400, 403 or 404, by what is wrong. */
export async function changeMember(
  deps: Deps,
  who: InPlace,
  { user_id, access_level, expires_at }: z.infer<typeof memberChange>,
): Promise<Member> {
  const change = { place: placeOf(who), by: who.user, held: heldIn(who) };
  judgeDay(deps, expires_at);
  const terms = { role: roleAt(access_level), expiresAt: expires_at };
  return judged(await members.changeMember(deps, change, user_id, terms));
}

/** Also for leaving: everybody may take themselves away. */
export async function removeMember(deps: Deps, who: InPlace, { user_id }: Reference): Promise<null> {
  const change = { place: placeOf(who), by: who.user, held: heldIn(who) };
  const refusal = await members.removeMember(deps, change, user_id);
  if (refusal !== null) throw refused(refusal);
  return null;
}

function judged(outcome: Member | members.MemberRefusal): Member {
  if (typeof outcome === "string") throw refused(outcome);
  return outcome;
}

function refused(refusal: members.MemberRefusal): ApiError {
  if (refusal === "not_member") return notFound();
  if (refusal === "is_member") return conflict("Member already exists");
  if (refusal === "last_owner")
    return forbiddenBecause("There must be an owner. Make somebody else one first.");
  if (refusal === "not_allowed") return forbidden();
  return badRequest("access_level is lower than what the member inherits from a group above");
}
