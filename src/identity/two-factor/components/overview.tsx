import { Button, ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { isolated } from "@/ui/isolated";
import { Notice } from "@/ui/notice";
import { OneLine } from "@/ui/one-line";
import { Table } from "@/ui/table";
import { Ago } from "@/ui/time";
import { HOME, withReturn } from "../../sessions/two-factor-enrollment";
import { removePasskey, renewRecoveryCodes, turnOff } from "../actions";
import type { Overview } from "../loaders";
import { formatMoment } from "../rules";
import type { Passkey } from "../service";
import { RecoveryCard } from "./recovery-card";
import { TurnOff } from "./turn-off";

type Props = Readonly<{ overview: Overview; returnTo: string | null }>;

/** Lists the second factors of the user and the actions for each factor. */
export function TwoFactorOverview({ overview, returnTo }: Props) {
  const { totp, passkeys, required } = overview;
  const on = totp || passkeys.length > 0;
  return (
    <>
      <Demand overview={overview} returnTo={returnTo} />
      <WrongFactors overview={overview} />
      {on ? (
        <Notice kind="done">
          <strong>Two-factor authentication is on.</strong> You sign in with your password and one of these
          factors, or with a passkey alone.
        </Notice>
      ) : null}
      <Card
        title="Authenticator app"
        about={
          totp
            ? "Set up. The app shows a new code every 30 seconds."
            : "The app shows a new code every 30 seconds."
        }
        action={
          <ButtonLink kind={on ? "plain" : "primary"} size="small" href={withReturn(`${HOME}/app`, returnTo)}>
            {totp ? "Move to another device" : "Set up an app"}
          </ButtonLink>
        }
      />
      <Card
        title="Passkeys"
        about="A passkey is stored on your phone, your computer or a security key. If the device asks for a PIN or a fingerprint, you can sign in without a password."
        action={
          <ButtonLink size="small" href={withReturn(`${HOME}/passkey`, returnTo)}>
            Add a passkey
          </ButtonLink>
        }
      >
        {passkeys.length === 0 ? null : <Passkeys passkeys={passkeys} now={overview.now} />}
      </Card>
      {on ? <RecoveryCard action={renewRecoveryCodes} left={overview.recoveryCodesLeft} /> : null}
      {on && !required ? <TurnOff action={turnOff} /> : null}
    </>
  );
}

/** Warns about wrong second factors. Only a person who knows the password can enter a second factor. */
function WrongFactors({ overview: { wrongFactors, now } }: { readonly overview: Overview }) {
  const [last] = wrongFactors;
  if (last === undefined) return null;
  const times = wrongFactors.length === 1 ? "once" : `${wrongFactors.length} times`;
  return (
    <Notice kind="warning">
      A wrong second factor was entered {times} in the last 30 days, most recently{" "}
      <Ago at={last.at} now={now} /> from {last.ipAddress}. If that was not you, someone knows your password.{" "}
      <a href="/user_settings/profile">Change your password</a>.
    </Notice>
  );
}

/**
 * The notice that the instance requires a second factor, with a link to continue without a second factor
 * during the grace period.
 */
function Demand({ overview: { enrollment }, returnTo }: Props) {
  if (enrollment.kind === "none")
    return returnTo === null ? null : (
      <p>
        <a href={returnTo}>Continue</a>
      </p>
    );
  if (enrollment.kind === "due")
    return (
      <Notice kind="warning">
        <strong>This server requires two-factor authentication.</strong> To continue, set up an authenticator
        app or a passkey.
      </Notice>
    );
  return (
    <Notice kind="warning">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0">
          <strong>This server requires two-factor authentication.</strong> Set up an authenticator app or a
          passkey by {formatMoment(enrollment.until)}.
        </p>
        <a href={returnTo ?? "/"}>Not now</a>
      </div>
    </Notice>
  );
}

const Passkeys = ({ passkeys, now }: { readonly passkeys: readonly Passkey[]; readonly now: Date }) => (
  <Table
    caption="Your passkeys"
    columns={[
      { name: "Name", width: "rest" },
      { name: "Added" },
      { name: "Last used" },
      { name: "Remove", silent: true },
    ]}
    rows={passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      key: id,
      cells: [
        <OneLine key="name" text={name} className="font-semibold" />,
        <Ago key="added" at={createdAt} now={now} />,
        lastUsedAt === null ? "Never" : <Ago key="used" at={lastUsedAt} now={now} />,
        <Confirm
          key="remove"
          id={`remove-passkey-${id}`}
          size="small"
          summary="Remove"
          title={`Remove the passkey ${isolated(name)}?`}
          question="You can no longer sign in with this passkey. To delete the passkey from your device, use the settings of the device."
        >
          <form action={removePasskey}>
            <input type="hidden" name="id" value={id} />
            <Button kind="danger" className="whitespace-normal! wrap-anywhere">
              Remove {name}
            </Button>
          </form>
        </Confirm>,
      ],
    }))}
  />
);
