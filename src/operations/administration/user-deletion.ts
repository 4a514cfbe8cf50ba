import type { User } from "@/access/principal";
import { type DeletionRefusal, requestDeletion, requestOwnDeletion } from "@/identity/users/account-deletion";
import type { Deps } from "@/kernel/deps/deps";
import { isInSoleOwnedGroup } from "@/workspace/members/service";
import {
  findTransferTarget,
  type TransferTarget,
  transferPersonalProjects,
  transferProblemText,
} from "@/workspace/projects/transfer";

/**
 * The reason why the personal projects were not transferred, as a sentence. If the transfer was refused,
 * nothing was changed.
 */
export type TransferProblem = Readonly<{ problem: string }>;

/** An error that rolls back the transaction of a refused deletion. */
class Refused<Refusal> extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super("The deletion was refused.");
    this.refusal = refusal;
  }
}

type Transfer = Readonly<{
  /** The user whose personal projects are transferred. */
  ownerId: number;
  /** The id or the full path of the group or user that receives the projects; empty if the projects are deleted. */
  transferTo: string;
  /** Whether groups whose only owner is this user are deleted too. */
  hard: boolean;
}>;

/**
 * Transfers the personal projects of a user, and then requests the deletion of the user. If the transfer or
 * the deletion is refused, nothing is changed.
 */
async function afterTransfer<Result>(
  deps: Deps,
  by: User | null,
  { ownerId, transferTo, hard }: Transfer,
  request: (within: Deps) => Promise<Result>,
  isRefusal: (result: Result) => boolean,
): Promise<Result | TransferProblem> {
  if (transferTo === "") return request(deps);
  const target = await findTransferTarget(deps, by, transferTo);
  if (target === null || isOwner(target, ownerId))
    return {
      problem:
        by === null
          ? `${transferTo} is neither a group nor another user.`
          : "Personal projects can be transferred only to a group in which you have the Maintainer role.",
    };
  if (hard && target.kind === "group" && (await isInSoleOwnedGroup(deps, ownerId, target.group.id)))
    return {
      problem: `Personal projects cannot be transferred to ${target.group.fullPath}, because the group is deleted with the user.`,
    };
  try {
    return await deps.transaction(async (within) => {
      const blocked = await transferPersonalProjects(within, { id: ownerId }, target, by);
      if (blocked !== null) throw new Refused({ problem: textOf(blocked.fullPath, blocked.refusal) });
      const result = await request(within);
      if (isRefusal(result)) throw new Refused(result);
      return result;
    });
  } catch (cause) {
    if (cause instanceof Refused) return cause.refusal as Result | TransferProblem;
    throw cause;
  }
}

const isOwner = (target: TransferTarget, ownerId: number): boolean =>
  target.kind === "user" && target.user.id === ownerId;

const textOf = (fullPath: string, refusal: Parameters<typeof transferProblemText>[0]): string =>
  `The project ${fullPath} cannot be transferred. ${transferProblemText(refusal)}`;

/**
 * Requests the deletion of a user for an administrator. If `by` is null, the operator has requested the
 * deletion at the command line.
 * @param options.transferTo the namespace that receives the personal projects; empty if the projects are
 * deleted.
 * @returns null on success.
 */
export const deleteUserAsAdministrator = (
  deps: Deps,
  by: User | null,
  id: number,
  { hard, transferTo }: Readonly<{ hard: boolean; transferTo: string }>,
): Promise<DeletionRefusal | TransferProblem | null> =>
  afterTransfer(
    deps,
    by,
    { ownerId: id, transferTo, hard },
    (within) => requestDeletion(within, by, id, { hard }),
    (refusal) => refusal !== null,
  );

/**
 * Requests the deletion of the user's own account. The transfer of the personal projects takes effect
 * immediately, and a cancellation of the deletion does not undo the transfer.
 * @param transferTo the group that receives the personal projects; empty if the projects are deleted.
 */
export const deleteOwnAccount = (
  deps: Deps,
  user: User,
  transferTo: string,
): Promise<Awaited<ReturnType<typeof requestOwnDeletion>> | TransferProblem> =>
  afterTransfer(
    deps,
    user,
    { ownerId: user.id, transferTo, hard: false },
    (within) => requestOwnDeletion(within, user),
    (outcome) => typeof outcome === "string",
  );
