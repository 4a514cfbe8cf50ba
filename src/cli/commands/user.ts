import { isBot, type User } from "@/access/principal";
import { resetTwoFactor } from "@/identity/two-factor/service";
import type { DeletionRefusal } from "@/identity/users/account-deletion";
import * as states from "@/identity/users/account-states";
import { deleteAccount } from "@/identity/users/deletion-job";
import * as users from "@/identity/users/service";
import type { Deps } from "@/kernel/deps/deps";
import { deleteUserAsAdministrator } from "@/operations/administration/user-deletion";
import { defineCommand, required, UsageError } from "./command";

const userCreate = defineCommand({
  name: "user create",
  usage: "--username U --email E --password P [--name N] [--admin]",
  about: "Create a user.",
  options: { username: "text", email: "text", password: "text", name: "text", admin: "flag" },
  run: async ({ open }, options) => {
    const user = {
      username: required(options.username, "username"),
      email: required(options.email, "email"),
      password: required(options.password, "password"),
      name: options.name,
      admin: options.admin,
    };
    const { deps } = await open();
    const created = await users.create(deps, user);
    if ("problems" in created)
      throw new UsageError(
        Object.entries(created.problems)
          .map(([field, text]) => `--${field} ${text}.`)
          .join("\n"),
      );
    const { id, username, email, name, admin } = created.user;
    return { text: `Created the user ${username} (${id}).`, json: { id, username, email, name, admin } };
  },
});

const userResetPassword = defineCommand({
  name: "user reset-password",
  usage: "--username U [--password P]",
  about:
    "Set a new password (generated unless you specify one), end the user's sessions, and revoke the user's tokens.",
  options: { username: "text", password: "text" },
  run: async ({ open }, options) => {
    const username = required(options.username, "username");
    const { deps } = await open();
    const user = await requireUser(deps, username);
    const password = options.password ?? Buffer.from(deps.randomBytes(18)).toString("base64url");
    const problem = await users.resetPassword(deps, user, password);
    if (problem !== null) throw new UsageError(`--password ${problem}.`);
    const generated = options.password === undefined ? { password } : {};
    return {
      text:
        options.password === undefined
          ? `The new password of ${username} is ${password}`
          : `${username} has a new password.`,
      json: { username: user.username, ...generated },
    };
  },
});

const userDisableTwoFactor = defineCommand({
  name: "user disable-two-factor",
  usage: "LOGIN",
  about: "Remove the second factors of a user who has lost access to these factors.",
  options: {},
  words: ["LOGIN"],
  run: async ({ open }, _options, [login = ""]) => {
    const { deps } = await open();
    const { id, username } = await requireUser(deps, login);
    await resetTwoFactor(deps, id);
    return { text: `${username} now signs in with the password alone.`, json: { username } };
  },
});

/** The error messages for forbidden changes to the state of a user. */
const REFUSED: Readonly<
  Record<states.DeactivationRefusal | states.ApprovalRefusal | DeletionRefusal, string>
> = {
  unknown: "The user no longer exists.",
  bot: "The user is a bot, which administrators can only block and unblock, in the admin area.",
  self: "You cannot change the state of your own account.",
  not_administrator: "Only administrators can change the state of a user.",
  last_administrator: "This user is the last administrator. Make another user an administrator first.",
  blocked: "This user is blocked or waits for approval, so the user was not changed.",
  sole_owner:
    "This user is the only owner of a group. Use --hard to also delete the groups that have no other owner.",
  recently_active: `This user signed in within the last ${states.DORMANT_DAYS} days and cannot be deactivated.`,
  not_pending: "The registration of this user does not wait for approval.",
};

/** Defines a command that changes the state of one user. */
const stateCommand = (
  verb: string,
  about: string,
  run: (deps: Deps, by: null, id: number) => Promise<keyof typeof REFUSED | null>,
  done: string,
) =>
  defineCommand({
    name: `user ${verb}`,
    usage: "LOGIN",
    about,
    options: {},
    words: ["LOGIN"],
    run: async ({ open }, _options, [login = ""]) => {
      const { deps } = await open();
      const { id, username } = await requireUser(deps, login);
      const refused = await run(deps, null, id);
      if (refused !== null) throw new UsageError(REFUSED[refused]);
      return { text: `${username} ${done}`, json: { username } };
    },
  });

const userDeactivate = stateCommand(
  "deactivate",
  `Deactivate a user who has not signed in for ${states.DORMANT_DAYS} days, until the user signs in again.`,
  states.deactivateUser,
  "is deactivated.",
);

const userActivate = stateCommand(
  "activate",
  "Activate a deactivated user.",
  states.activateUser,
  "is active.",
);

const userApprove = stateCommand(
  "approve",
  "Approve the registration of a user.",
  states.approveUser,
  "is approved and can sign in.",
);

const userReject = stateCommand(
  "reject",
  "Reject the registration of a user, and delete the account.",
  states.rejectUser,
  "is rejected, and the account is deleted.",
);

const userDelete = defineCommand({
  name: "user delete",
  usage: "LOGIN [--hard] [--transfer-to GROUP_OR_USER]",
  about:
    "Delete a user and the user's personal projects. --transfer-to moves the projects to another namespace instead. The user's contributions are assigned to the ghost user. --hard deletes the contributions, and the groups that have no other owner.",
  options: { hard: "flag", "transfer-to": "text" },
  words: ["LOGIN"],
  run: async ({ open }, { hard, "transfer-to": transferTo }, [login = ""]) => {
    if (transferTo === "") throw new UsageError("--transfer-to must name a group or a user.");
    const { deps } = await open();
    const { id, username } = await requireUser(deps, login);
    const refused = await deleteUserAsAdministrator(deps, null, id, { hard, transferTo: transferTo ?? "" });
    if (refused !== null)
      throw new UsageError(typeof refused === "string" ? REFUSED[refused] : refused.problem);
    await deleteAccount(deps, id);
    return { text: `Deleted the user ${username} (${id}).`, json: { id, username } };
  },
});

/** Returns the user that a `--username` or `--owner` option names. */
export async function requireUser(deps: Deps, login: string): Promise<User> {
  const user = await users.find(deps, login);
  if (user === null) throw new UsageError(`There is no user ${login}.`);
  if (isBot(user)) throw new UsageError(`${login} is a bot, which has no password and no tokens of its own.`);
  return user;
}

export const commands = [
  userCreate,
  userResetPassword,
  userDisableTwoFactor,
  userDeactivate,
  userActivate,
  userApprove,
  userReject,
  userDelete,
];
