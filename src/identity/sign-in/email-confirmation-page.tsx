import type { Deps } from "@/kernel/deps/deps";
import { readFields, refused } from "@/kernel/http/form-response";
import { formOrigin } from "@/kernel/http/same-origin";
import { Button } from "@/ui/button";
import { DecisionCard } from "@/ui/decision-card";
import { respondWithPage } from "@/ui/failure-page";
import { messagePage, staticPage } from "@/ui/static-page";
import { confirmEmailByLink, openConfirmation } from "../users/email-confirmation";

const TITLE = "Confirm your e-mail address";

/**
 * `GET /users/confirmation`: shows the e-mail address of a link with a button that confirms it. The request itself
 * changes nothing, because programs that scan e-mails open all links.
 */
export const showConfirmation = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    const { searchParams } = new URL(request.url);
    const token = searchParams.get("confirmation_token");
    if (token === null) return checkYourMail();
    return confirmationForm(deps, token);
  });

/** `POST /users/confirmation`: confirms the e-mail address of a link. */
export const postConfirmation = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
    const form = await readFields(request);
    if (form === null) return refused();
    const outcome = await confirmEmailByLink(deps, form.get("confirmation_token") ?? "");
    if (outcome === "invalid") return invalidLink();
    if (outcome === "taken")
      return messagePage(409, {
        title: "This e-mail address is in use",
        text: "Another account already has this e-mail address. Sign in to that account, or use another e-mail address.",
      });
    return messagePage(
      200,
      { title: "Your e-mail address is confirmed", text: `The account @${outcome.username} now uses it.` },
      <p className="text-center">
        <a href="/">Continue</a>
      </p>,
    );
  });

async function confirmationForm(deps: Deps, token: string): Promise<Response> {
  const opened = await openConfirmation(deps, token);
  if (opened === null) return invalidLink();
  return staticPage(
    200,
    TITLE,
    <DecisionCard title={TITLE}>
      <p className="text-center wrap-anywhere text-muted">
        The account <bdi className="font-semibold text-ink">@{opened.user.username}</bdi> wants to use{" "}
        <b className="font-semibold text-ink">{opened.email}</b>. If this is not your account, close this
        page.
      </p>
      <form method="post" action="/users/confirmation" className="grid">
        <input type="hidden" name="confirmation_token" value={token} />
        <Button kind="primary">Confirm e-mail address</Button>
      </form>
    </DecisionCard>,
  );
}

const checkYourMail = (): Promise<Response> =>
  messagePage(
    200,
    {
      title: "Check your e-mail",
      text: "Before you can sign in, confirm your e-mail address: open the link in the e-mail that was sent to it. If no e-mail arrives, sign in to get another link.",
    },
    <p className="text-center">
      <a href="/users/sign_in">Sign in</a>
    </p>,
  );

const invalidLink = (): Promise<Response> =>
  messagePage(
    404,
    {
      title: "This link is not valid",
      text: "The link was already used, it is too old, or another e-mail address was requested since. Request a new link on the profile page.",
    },
    <p className="text-center">
      <a href="/user_settings/profile">Open the profile page</a>
    </p>,
  );
