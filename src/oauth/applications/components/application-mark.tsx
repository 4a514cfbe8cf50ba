import { Avatar, type AvatarSize } from "@/ui/avatar";

type Props = Readonly<{
  application: Readonly<{ name: string; logo: string | null }>;
  size?: AvatarSize;
}>;

/** Shows the logo of an application, which this instance serves, or the initials of the application. */
export const ApplicationMark = ({ application: { name, logo }, size = "large" }: Props) => (
  <Avatar name={name} kind="application" picture={logo} size={size} />
);
