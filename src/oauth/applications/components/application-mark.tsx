import { Avatar, type AvatarSize } from "@/ui/avatar";

type Props = Readonly<{
  application: Readonly<{ id: number; name: string; logo: string | null }>;
  size?: AvatarSize;
}>;

/**
 * Shows the logo of an application, which this instance serves, or the initials of the application. The color
 * of the initials depends on the id of the application, because the name can change.
 */
export const ApplicationMark = ({ application: { id, name, logo }, size = "large" }: Props) => (
  <Avatar name={name} kind="application" seed={String(id)} picture={logo} size={size} />
);
