import { z } from "zod";
import { type Principal, USER_KINDS, type User } from "@/access/principal";
import {
  type ApiError,
  busy,
  conflict,
  forbidden,
  forbiddenBecause,
  invalidParameters,
  notFound,
  unacceptable,
} from "@/http-api/errors";
import { flag, id, instant, text } from "@/http-api/fields";
import { type UserWithIdentities, userIdOf, withIdentities } from "@/identity/linked-identities/service";
import { type AccountOutcome, changeAccount } from "@/identity/users/account-changes";
import * as states from "@/identity/users/account-states";
import * as administration from "@/identity/users/administration";
import * as users from "@/identity/users/service";
import { listUsers as listVisibleUsers } from "@/identity/users/user-search";
import { PasswordsBusy } from "@/kernel/crypto/password";
import type { Deps } from "@/kernel/deps/deps";
import { EMPTY_PAGE, type Page, type Paging } from "@/kernel/paging/paging";

export const userReference = z.object({ id });
type Reference = z.infer<typeof userReference>;

export const userSearch = z.object({
  username: text(255).optional().describe("The exact username, in upper or lower case."),
  search: text(255).optional().describe("Part of the name, or the beginning of the username."),
  active: flag.optional(),
  blocked: flag.optional(),
  admins: flag
    .optional()
    .describe(
      "If true, returns only administrators. The value true is refused unless an administrator sends the request.",
    ),
  two_factor: z
    .enum(["enabled", "disabled"])
    .optional()
    .describe(
      "Returns only users with or without two-factor authentication. Refused unless an administrator sends the request.",
    ),
  created_after: instant.optional(),
  created_before: instant.optional(),
  extern_uid: text(255)
    .optional()
    .describe(
      "The id of the user at an external identity provider; requires the parameter provider. Returns no users unless an administrator sends the request.",
    ),
  provider: text(255).optional(),
  external: flag.optional().describe("If true, returns no users, because no user is external."),
  exclude_external: flag.optional().describe("Has no effect: no user is external."),
  humans: flag.optional().describe("If true, returns only humans."),
  exclude_humans: flag.optional().describe("If true, returns only bots."),
  exclude_internal: flag.optional().describe("Has no effect: no user is internal."),
  without_project_bots: flag
    .optional()
    .describe("If true, omits the bots of project and group access tokens."),
  skip_ldap: flag.optional().describe("Has no effect: no user is from LDAP."),
  order_by: z.enum(["id", "created_at"]).default("id"),
  sort: z.enum(["asc", "desc"]).default("desc"),
});

/**
 * Returns a page of users. For an administrator, the page can contain users in every state; for other
 * callers, only active users.
 * @throws ApiError 400 for a filter that only administrators may use, if the caller is not an administrator.
 */
export async function listUsers(
  deps: Deps,
  { user }: Principal,
  input: z.infer<typeof userSearch>,
  paging: Paging,
): Promise<Page<UserWithIdentities>> {
  const { extern_uid, provider, admins, two_factor } = input;
  if (!user.admin) refuseFiltersOfAdministrators(input);
  if ((extern_uid === undefined) !== (provider === undefined))
    throw invalidParameters(["extern_uid, provider provide all or none of parameters"]);
  if (input.external === true) return EMPTY_PAGE;
  // Only administrators see the accounts of users at external identity providers.
  if (extern_uid !== undefined && !user.admin) return EMPTY_PAGE;
  const linked = extern_uid === undefined ? null : await userIdOf(deps, provider ?? "", extern_uid);
  if (extern_uid !== undefined && linked === null) return EMPTY_PAGE;
  const ids = linked === null ? undefined : [linked];
  const kinds = USER_KINDS.filter(
    (kind) =>
      !(input.humans === true && kind !== "human") &&
      !(input.exclude_humans === true && kind === "human") &&
      !(input.without_project_bots === true && kind === "access_token_bot"),
  );
  if (kinds.length === 0) return EMPTY_PAGE;
  const search = {
    username: input.username || null,
    search: input.search || null,
    active: input.active,
    blocked: input.blocked,
    admins,
    twoFactor: two_factor === undefined ? undefined : two_factor === "enabled",
    createdAfter: input.created_after,
    createdBefore: input.created_before,
    kinds: kinds.length === USER_KINDS.length ? undefined : kinds,
    descending: input.sort === "desc",
  };
  const page = await listVisibleUsers(deps, user, { ...search, ids }, paging);
  return user.admin ? { ...page, rows: await withIdentities(deps, page.rows) } : page;
}

/**
 * Refuses the filters that only administrators may use. If the server ignored these filters, the caller would
 * get a list that is not filtered (decision 45).
 * @throws ApiError 400 that names each of the filters.
 */
function refuseFiltersOfAdministrators({ admins, two_factor }: z.infer<typeof userSearch>): void {
  const names = [...(admins === true ? ["admins"] : []), ...(two_factor === undefined ? [] : ["two_factor"])];
  if (names.length > 0)
    throw invalidParameters(names.map((name) => `${name} is supported only for administrators`));
}

/** Returns the user who sent the request, with the accounts of this user at external identity providers. */
export const readCurrentUser = (deps: Deps, { user }: Principal): Promise<UserWithIdentities> =>
  withOwnIdentities(deps, user);

async function withOwnIdentities(deps: Deps, user: User): Promise<UserWithIdentities> {
  const [shown = user] = await withIdentities(deps, [user]);
  return shown;
}

/** @throws ApiError 404 when no user has this id. */
export async function readUser(
  deps: Deps,
  { user: caller }: Principal,
  { id }: Reference,
): Promise<UserWithIdentities> {
  const user = await users.findById(deps, id);
  if (user === null) throw notFound("User");
  return caller.admin ? withOwnIdentities(deps, user) : user;
}

/**
 * The value null of `private_profile` selects the default of the instance. A form-encoded request represents
 * null as an empty string.
 */
const privateProfile = z
  .union([flag, z.literal("").transform(() => null), z.null()])
  .meta({ type: ["boolean", "null"] })
  .optional();

const account = {
  username: text(255),
  email: text(255),
  name: text(255).optional(),
  admin: flag.optional(),
  private_profile: privateProfile,
  skip_confirmation: flag
    .optional()
    .describe("Has no effect: an e-mail address that an administrator sets is confirmed."),
};

export const newUser = z.object({
  ...account,
  password: z.string().max(1_024).optional(),
  force_random_password: flag.optional().describe("Sets a random password that is not returned."),
});

/**
 * Creates a user.
 * @throws ApiError 400 for invalid values, 409 for a username or an e-mail address that another user has.
 */
export async function createUser(
  deps: Deps,
  { user: by }: Principal,
  { private_profile, force_random_password, password, ...user }: z.infer<typeof newUser>,
): Promise<User> {
  if (!password && force_random_password !== true)
    throw invalidParameters([
      "password, force_random_password are missing, at least one parameter must be provided",
    ]);
  const wish = { ...user, admin: user.admin ?? false, privateProfile: private_profile ?? undefined };
  const outcome = await administration
    .createUserAsAdministrator(deps, by, {
      ...wish,
      password: force_random_password === true ? "" : (password ?? ""),
    })
    .catch(refuseWhenBusy);
  if ("user" in outcome) return outcome.user;
  throw outcome.taken === undefined ? notAcceptable(outcome.problems) : alreadyTaken(outcome.taken);
}

export const userChanges = z.object({
  ...account,
  id,
  username: account.username.optional(),
  email: account.email.optional(),
  password: z.string().max(1_024).optional(),
});

/**
 * @throws ApiError 400 for invalid values, 403 if the caller is not an administrator, 404 for an unknown
 * user, 409 for a username or an e-mail address that another user has.
 */
export async function updateUser(
  deps: Deps,
  { user: by }: Principal,
  { id, private_profile, username, email, name, password, admin }: z.infer<typeof userChanges>,
): Promise<UserWithIdentities> {
  const wish = { username, email, name, password, admin, privateProfile: private_profile };
  if (Object.values(wish).every((value) => value === undefined))
    throw invalidParameters(["parameters are missing, at least one parameter must be provided"]);
  return withOwnIdentities(deps, changed(await changeAccount(deps, by, id, wish).catch(refuseWhenBusy)));
}

function changed(outcome: AccountOutcome): User {
  if ("user" in outcome) return outcome.user;
  if ("problems" in outcome) throw notAcceptable(outcome.problems);
  throw "taken" in outcome ? alreadyTaken(outcome.taken) : refused(outcome.refused);
}

const TAKEN = { email: "Email has already been taken", username: "Username has already been taken" } as const;
const alreadyTaken = (field: keyof typeof TAKEN): ApiError => conflict(TAKEN[field]);

const notAcceptable = (problems: users.FieldErrors): ApiError =>
  unacceptable(Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, [problem]])));

function refuseWhenBusy(cause: unknown): never {
  throw cause instanceof PasswordsBusy ? busy() : cause;
}

export const blockUser = async (deps: Deps, { user }: Principal, { id }: Reference): Promise<void> =>
  unlessRefused(await administration.blockUserAsAdministrator(deps, user, id), {});

export const unblockUser = async (deps: Deps, { user }: Principal, { id }: Reference): Promise<void> =>
  unlessRefused(await administration.unblockUserAsAdministrator(deps, user, id), {
    deactivated: "Deactivated users cannot be unblocked by the API",
    deleting: "The user is being deleted",
  });

/**
 * Deactivates a user.
 * @throws ApiError 403 if the user cannot be deactivated or the caller is not an administrator, 404 for an
 * unknown user.
 */
export const deactivateUser = async (deps: Deps, { user }: Principal, { id }: Reference): Promise<void> =>
  unlessRefused(await states.deactivateUser(deps, user, id), {
    blocked: "A blocked user cannot be deactivated by the API",
    recently_active: `The user you are trying to deactivate has been active in the past ${states.DORMANT_DAYS} days and cannot be deactivated`,
  });

/**
 * Activates a deactivated user.
 * @throws ApiError 403 if the user is blocked or the caller is not an administrator, 404 for an unknown user.
 */
export const activateUser = async (deps: Deps, { user }: Principal, { id }: Reference): Promise<void> =>
  unlessRefused(await states.activateUser(deps, user, id), {
    blocked: "A blocked user must be unblocked to be activated",
  });

/**
 * Approves a registration.
 * @throws ApiError 403 if the caller is not an administrator, 404 for an unknown user, 409 for a user whose
 * registration is not pending.
 */
export async function approveUser(deps: Deps, { user }: Principal, { id }: Reference): Promise<null> {
  const refusal = await states.approveUser(deps, user, id);
  if (refusal === "not_pending") throw conflict("The user you are trying to approve is not pending approval");
  unlessRefused(refusal, {});
  return null;
}

/**
 * Rejects a registration and deletes the account.
 * @throws ApiError 403 if the caller is not an administrator, 404 for an unknown user, 409 for a user whose
 * registration is not pending.
 */
export async function rejectUser(deps: Deps, { user }: Principal, { id }: Reference): Promise<null> {
  const refusal = await states.rejectUser(deps, user, id);
  if (refusal === "not_pending") throw conflict("User does not have a pending request");
  unlessRefused(refusal, {});
  return null;
}

/**
 * @param reasons GitLab's texts for the refusals that are specific to this endpoint.
 * @throws ApiError 404 for an unknown user, and 403 for every other refusal.
 */
export function unlessRefused<Refusal extends string>(
  refusal: administration.UserRefusal | Refusal | null,
  reasons: Readonly<Record<Exclude<Refusal, administration.UserRefusal>, string>>,
): void {
  if (refusal === null) return;
  const reason = (reasons as Readonly<Record<string, string | undefined>>)[refusal];
  throw reason === undefined ? refused(refusal as administration.UserRefusal) : forbiddenBecause(reason);
}

function refused(refusal: administration.UserRefusal): ApiError {
  if (refusal === "unknown") return notFound("User");
  return refusal === "self"
    ? forbiddenBecause(
        "You cannot block, deactivate or delete your own account, or remove your own administrator rights.",
      )
    : forbidden();
}
