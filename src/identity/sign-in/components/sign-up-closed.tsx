import { ButtonLink } from "@/ui/button";
import { signInPath } from "../../sessions/sign-in-path";

/** Stands where the form would be while nobody may register. */
export function SignUpClosed({ returnTo }: { readonly returnTo: string }) {
  return (
    <>
      <p className="text-center text-muted">
        Nobody can register here by themselves. Ask an administrator of this server for an account.
      </p>
      <ButtonLink href={signInPath({ returnTo })}>Sign in</ButtonLink>
    </>
  );
}
