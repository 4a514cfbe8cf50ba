import { CodeForm } from "@/oauth/device-authorizations/components/code-form";
import { DeviceCard, type DeviceDecision } from "@/oauth/device-authorizations/components/device-card";
import type { DecisionOutcome } from "@/oauth/device-authorizations/rules";
import { Button, ButtonLink } from "@/ui/button";
import { type Message, messagePage, staticPage } from "@/ui/static-page";

type CodeEntry = Omit<Parameters<typeof CodeForm>[0], "problem">;

export const codePage = (entry: CodeEntry): Promise<Response> =>
  staticPage(200, "Connect a device", <CodeForm {...entry} problem={null} />);

/** Returns the page for a user code that is unknown, used or expired. The page does not reveal the reason. */
export const wrongCodePage = (entry: CodeEntry): Promise<Response> =>
  staticPage(422, "Connect a device", <CodeForm {...entry} problem={WRONG_CODE} />);

const WRONG_CODE =
  "This code is not valid, or it can no longer be used. Compare your entry with the code on your device, or request a new code on the device.";

/**
 * Returns the page on which the user allows or denies a device. When the user code expires, the browser opens
 * the page about expired user codes.
 */
export const decisionPage = (decision: DeviceDecision): Promise<Response> => {
  const { expiresAt } = decision.request;
  const afterSeconds = Math.max(1, Math.ceil((expiresAt.getTime() - decision.now.getTime()) / 1000));
  const refresh = { afterSeconds, to: EXPIRED_PATH };
  return staticPage(200, "Allow a device", <DeviceCard {...decision} />, { refresh });
};

/** The URL of the page that reports an expired user code. */
const EXPIRED_PATH = "/oauth/device?expired=1";

/**
 * Returns the page for too many wrong user codes of a user, of an IP address or on the whole instance. The
 * server has not looked up the entered user code.
 */
export async function tooManyCodesPage(retryAfterSeconds: number): Promise<Response> {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const response = await deviceMessage(429, {
    title: "Too many wrong codes",
    text: `Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}, and request a new code on your device.`,
  });
  response.headers.set("retry-after", String(retryAfterSeconds));
  return response;
}

/**
 * Returns the page that reports the outcome after a user has allowed or denied a device.
 * @param reported whether the user reported a device request that the user did not start.
 */
export const outcomePage = (outcome: DecisionOutcome, reported: boolean): Promise<Response> => {
  const { status, ...message } = outcome === "denied" && reported ? REPORTED : OUTCOMES[outcome];
  return deviceMessage(status, message);
};

const OUTCOMES: Readonly<Record<DecisionOutcome, Message & { readonly status: number }>> = {
  approved: {
    status: 200,
    title: "Your device is connected",
    text: "The device continues in a few seconds. You can close this page.",
  },
  denied: {
    status: 200,
    title: "Access denied",
    text: "You denied access to the device. You can close this page.",
  },
  expired: {
    status: 410,
    title: "This code has expired",
    text: "Access was not granted. Start again on your device to get a new code.",
  },
  answered: {
    status: 409,
    title: "This code was already used",
    text: "This request was already allowed or denied. If your device is still waiting, start again on the device.",
  },
};

const REPORTED = {
  status: 200,
  title: "Access denied",
  text: "Your report was recorded. The sender of the code or link did not get access, and your password is safe.",
};

const deviceMessage = (status: number, message: Message): Promise<Response> =>
  messagePage(
    status,
    message,
    status === 200 ? null : <ButtonLink href="/oauth/device">Enter another code</ButtonLink>,
  );

/**
 * Returns the page at `/oauth/device` while the feature flag of the device grant is off.
 * @param about.switchOn the CSRF token of the form that enables the flag; null unless the user is an
 * administrator.
 * @param about.signInAt the URL of the sign-in page; null when a user is signed in.
 */
export const switchedOffPage = (
  about: Readonly<{ typed: string; switchOn: string | null; signInAt: string | null }>,
): Promise<Response> =>
  messagePage(
    404,
    {
      title: "Devices cannot be connected",
      heading: "Devices cannot be connected here",
      text: "Sign-in with a device code is disabled on this server. An administrator can enable this way to sign in.",
    },
    <>
      {about.switchOn === null ? null : (
        <form method="post" action="/oauth/device" className="grid">
          <input type="hidden" name="intent" value="switch_on" />
          <input type="hidden" name="user_code" value={about.typed} />
          <input type="hidden" name="form_token" value={about.switchOn} />
          <Button kind="primary">Enable for all users</Button>
        </form>
      )}
      {about.signInAt === null ? null : <ButtonLink href={about.signInAt}>Sign in</ButtonLink>}
    </>,
  );
