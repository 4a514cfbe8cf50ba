import { Initials } from "@/ui/badge";
import { Button } from "@/ui/button";
import { formTokenFor } from "../loaders";
import type { Session } from "../service";

/** Who is signed in, and the way out. */
export function Account({ session }: { readonly session: Session }) {
  return (
    <>
      <span className="hidden text-small text-muted sm:inline">{session.user.name}</span>
      <Initials name={session.user.name} />
      <form method="post" action="/users/session">
        <input type="hidden" name="intent" value="sign_out" />
        <input type="hidden" name="form_token" value={formTokenFor(session, "sign_out")} />
        <Button className="min-h-9 px-3 py-1 text-small">Sign out</Button>
      </form>
    </>
  );
}
