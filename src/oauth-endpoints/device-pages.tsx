import { CodeForm } from "@/oauth/device-authorizations/components/code-form";
import { DeviceCard, type DeviceDecision } from "@/oauth/device-authorizations/components/device-card";
import type { DecisionOutcome } from "@/oauth/device-authorizations/rules";
import { Button, ButtonLink } from "@/ui/button";
import { type Message, messagePage, staticPage } from "./static-page";

type CodeEntry = Omit<Parameters<typeof CodeForm>[0], "problem">;

export const codePage = (entry: CodeEntry): Promise<Response> =>
  staticPage(200, "Connect a device", <CodeForm {...entry} problem={null} />);

/** A code that never was, one that is used and one that has expired get this same answer. */
export const wrongCodePage = (entry: CodeEntry): Promise<Response> =>
  staticPage(422, "Connect a device", <CodeForm {...entry} problem={WRONG_CODE} />);

const WRONG_CODE =
  "This code is not valid, or it can no longer be used. Compare it with your device, or let the device show a new one.";

/** The card gives way by itself to a page that says so when its code expires. */
export const decisionPage = (decision: DeviceDecision): Promise<Response> => {
  const { expiresAt } = decision.request;
  const afterSeconds = Math.max(1, Math.ceil((expiresAt.getTime() - decision.now.getTime()) / 1000));
  const refresh = { afterSeconds, to: EXPIRED_PATH };
  return staticPage(200, "Allow a device", <DeviceCard {...decision} />, { refresh });
};

/** Where a card goes whose code has expired. */
const EXPIRED_PATH = "/oauth/device?expired=1";

/** Nothing was looked up: the person, the address or everybody together has tried too many wrong codes. */
export async function tooManyCodesPage(retryAfterSeconds: number): Promise<Response> {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const response = await deviceMessage(429, {
    title: "Too many wrong codes",
    text: `Come back in ${minutes} ${minutes === 1 ? "minute" : "minutes"}, and let your device show a new code.`,
  });
  response.headers.set("retry-after", String(retryAfterSeconds));
  return response;
}

/** @param reported whether the person said that the request was not theirs. */
export const outcomePage = (outcome: DecisionOutcome, reported: boolean): Promise<Response> => {
  const { status, ...message } = outcome === "denied" && reported ? REPORTED : OUTCOMES[outcome];
  return deviceMessage(status, message);
};

const OUTCOMES: Readonly<Record<DecisionOutcome, Message & { readonly status: number }>> = {
  approved: {
    status: 200,
    title: "Your device is connected",
    text: "It will notice in a few seconds. You can close this page.",
  },
  denied: {
    status: 200,
    title: "Nothing was allowed",
    text: "The device has been told that you denied it. You can close this page.",
  },
  expired: {
    status: 410,
    title: "This code has expired",
    text: "Nothing was allowed. Start again on your device, which will then show a new code.",
  },
  answered: {
    status: 409,
    title: "This code was already answered",
    text: "Your answer changed nothing: another one came first. If your device waits in vain, start again there.",
  },
};

const REPORTED = {
  status: 200,
  title: "Nothing was allowed",
  text: "It has been noted that this request was not yours. Whoever sent you the code or the link got no access. Your password is not at risk from this.",
};

const deviceMessage = (status: number, message: Message): Promise<Response> =>
  messagePage(
    status,
    message,
    status === 200 ? null : <ButtonLink href="/oauth/device">Enter another code</ButtonLink>,
  );

/**
 * What `/oauth/device` is while the feature flag is off.
 * @param about.switchOn the form token of the switch, for an administrator.
 * @param about.signInAt where to sign in, for nobody in particular.
 */
export const switchedOffPage = (
  about: Readonly<{ typed: string; switchOn: string | null; signInAt: string | null }>,
): Promise<Response> =>
  messagePage(
    404,
    {
      title: "Devices cannot be connected",
      heading: "Devices cannot be connected here",
      text: "Signing in on a device with a code is switched off on this server. An administrator can switch it on.",
    },
    <>
      {about.switchOn === null ? null : (
        <form method="post" action="/oauth/device" className="grid">
          <input type="hidden" name="intent" value="switch_on" />
          <input type="hidden" name="user_code" value={about.typed} />
          <input type="hidden" name="form_token" value={about.switchOn} />
          <Button kind="primary">Switch it on for everybody</Button>
        </form>
      )}
      {about.signInAt === null ? null : <ButtonLink href={about.signInAt}>Sign in</ButtonLink>}
    </>,
  );
