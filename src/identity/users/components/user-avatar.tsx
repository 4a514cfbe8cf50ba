import type { User } from "@/access/principal";
import { Avatar, type AvatarSize } from "@/ui/avatar";
import { avatarPath } from "../avatar-url";

/** Shows the avatar of a user, or the initials of a user without an avatar. */
export const UserAvatar = (props: {
  readonly user: Pick<User, "id" | "username" | "name" | "avatarDigest">;
  readonly size?: AvatarSize;
}) => (
  <Avatar
    name={props.user.name}
    kind="user"
    seed={props.user.username}
    picture={avatarPath(props.user)}
    {...(props.size === undefined ? {} : { size: props.size })}
  />
);
