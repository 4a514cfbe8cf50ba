import { Button } from "@/ui/button";
import { Menu } from "@/ui/menu";
import { csrfTokenFor } from "../../sessions/loaders";
import type { Session } from "../../sessions/service";
import { UserAvatar } from "../../users/components/user-avatar";

const LINKS = [
  { label: "Profile", href: "/user_settings/profile" },
  { label: "Authorized applications", href: "/user_settings/authorized_applications" },
  { label: "Sessions", href: "/user_settings/sessions" },
];

/** The menu of the signed-in user, with a button to sign out. */
export function Account({ session }: { readonly session: Session }) {
  const { user } = session;
  return (
    <Menu
      id="account"
      label={`Account of ${user.name}`}
      button={
        <>
          <span className="hidden max-w-40 truncate text-small text-muted sm:inline">{user.name}</span>
          <UserAvatar user={user} />
        </>
      }
    >
      <p className="border-line border-b px-3 pt-1 pb-3 break-words">
        <strong>{user.name}</strong>
        <br />
        <span className="text-small text-muted">@{user.username}</span>
      </p>
      <ul className="py-1">
        {LINKS.map(({ label, href }) => (
          <li key={href}>
            <a href={href} className="block rounded-control px-3 py-2 text-ink no-underline hover:bg-ground">
              {label}
            </a>
          </li>
        ))}
      </ul>
      <form method="post" action="/users/session" className="grid border-line border-t pt-2">
        <input type="hidden" name="intent" value="sign_out" />
        <input type="hidden" name="form_token" value={csrfTokenFor(session, "sign_out")} />
        <Button>Sign out</Button>
      </form>
    </Menu>
  );
}
