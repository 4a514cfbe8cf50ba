import { MAILS } from "@/instance/mail/catalog";
import { openUnsubscribeToken, unsubscribe } from "@/instance/mail/opt-outs";
import { Button } from "@/ui/button";
import { respondWithPage } from "@/ui/failure-page";
import { messagePage } from "@/ui/static-page";

const tokenIn = (request: Request): string => new URL(request.url).searchParams.get("token") ?? "";

/**
 * `GET /-/mail/unsubscribe`: shows a button that unsubscribes the user. The `GET` request itself changes
 * nothing, because programs that scan e-mails open all links.
 */
export const showUnsubscribe = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    const opened = openUnsubscribeToken(deps, tokenIn(request));
    if (opened === null) return invalidLink();
    return messagePage(
      200,
      {
        title: "Unsubscribe",
        text: `You will get no more e-mails of this kind: ${MAILS[opened.kind].about}.`,
      },
      <form method="post" className="grid">
        <Button kind="primary">Unsubscribe</Button>
      </form>,
    );
  });

/**
 * `POST /-/mail/unsubscribe`: unsubscribes the user whom the token identifies. Mail programs send the `POST`
 * request without cookies (RFC 8058 §3.1), so the token is the only credential.
 */
export const postUnsubscribe = (request: Request): Promise<Response> =>
  respondWithPage(request, async (deps) => {
    const opened = openUnsubscribeToken(deps, tokenIn(request));
    if (opened === null) return invalidLink();
    await unsubscribe(deps, opened);
    return messagePage(
      200,
      {
        title: "You are unsubscribed",
        text: `You get no more e-mails of this kind: ${MAILS[opened.kind].about}.`,
      },
      <p className="text-center">
        <a href="/user_settings/notifications">All e-mail notifications</a>
      </p>,
    );
  });

const invalidLink = (): Promise<Response> =>
  messagePage(
    404,
    { title: "This link is not valid", text: "Sign in to choose which e-mails you get." },
    <p className="text-center">
      <a href="/user_settings/notifications">All e-mail notifications</a>
    </p>,
  );
