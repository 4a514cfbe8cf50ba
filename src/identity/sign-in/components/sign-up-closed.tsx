import { ButtonLink } from "@/ui/button";
import { signInPath } from "../../sessions/sign-in-path";

/** The text that replaces the registration form while registration is closed. */
export function SignUpClosed({ returnTo }: { readonly returnTo: string }) {
  return (
    <>
      <p className="text-center text-muted">
        Only administrators can create accounts on this server. To get an account, contact an administrator.
      </p>
      <ButtonLink href={signInPath({ returnTo })}>Sign in</ButtonLink>
    </>
  );
}
