import type { User } from "@/access/principal";
import { UserAvatar } from "../../users/components/user-avatar";

/**
 * Shows the signed-in user, with a link to sign in with another account for the same authorization request.
 */
export function SignedInAs(props: { readonly user: User; readonly otherAccountAt: string }) {
  const { name, username } = props.user;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-group border border-line px-3 py-2">
      <UserAvatar user={props.user} />
      <p className="min-w-32 flex-1 wrap-anywhere">
        <span className="sr-only">You are signed in as </span>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        <span className="text-muted">@{username}</span>
      </p>
      <a href={props.otherAccountAt} className="text-small">
        Use another account
      </a>
    </div>
  );
}

/** Warns a user who is an administrator that the application also gets administrator access. */
export const administratorWarning = (
  <>
    <strong>You are an administrator.</strong> If you allow access, the application can also administer this
    server.
  </>
);
