import { PasskeyButton } from "@/identity/two-factor/components/passkey-button";
import type { PasskeyRequest } from "@/identity/two-factor/passkey";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Notice } from "@/ui/notice";
import { type RequestedFactor, requestedFactorFields } from "../../sessions/sign-in-path";

type Props = Readonly<{
  intent: "second_factor" | "confirm";
  returnTo: string;
  /**
   * Whether the re-authentication interrupted the submission of a form, which the user must then submit
   * again.
   */
  repeat?: boolean;
  /** The CSRF token that binds the form to an existing session. */
  csrfToken?: string;
  /**
   * The factor that a client requests. If the client requests a passkey, the form shows no field for a code.
   */
  requested?: RequestedFactor | null;
  totp: boolean;
  passkey: PasskeyRequest | null;
  /** Whether to show the form for a recovery code. */
  recovery: boolean;
  problem: string | null;
  /** The path of the form for the other kind of code: recovery codes, or codes of an authenticator app. */
  otherWayAt: string;
}>;

/**
 * The form for a second factor: a code, a recovery code or a passkey. The form for codes works without
 * JavaScript.
 */
export function CodeForm(props: Props) {
  const { intent, returnTo, csrfToken, totp, passkey, recovery, problem } = props;
  const fields = {
    intent,
    return_to: returnTo,
    ...(csrfToken === undefined ? {} : { form_token: csrfToken }),
    ...(props.repeat ? { repeat: "1" } : {}),
    ...requestedFactorFields(props.requested),
  };
  const onlyPasskey = props.requested?.factor === "passkey";
  const asksCode = !onlyPasskey && (totp || recovery);
  return (
    <div className="grid gap-4">
      {problem === null ? null : <Notice kind="problem">{problem}</Notice>}
      {asksCode ? (
        <form method="post" action="/users/session" className="grid gap-4">
          {Object.entries({ ...fields, way: recovery ? "recovery" : "app" }).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {recovery ? <RecoveryField /> : <TotpField />}
          <Button kind="primary">Continue</Button>
        </form>
      ) : null}
      {passkey === null || (recovery && !onlyPasskey) ? null : (
        <PasskeyButton
          request={passkey}
          fields={fields}
          label="Use a passkey"
          kind={asksCode ? "plain" : "primary"}
        />
      )}
      {onlyPasskey ? null : (
        <p className="text-center text-small">
          <a href={props.otherWayAt}>{recovery ? "Use another method" : "Use a recovery code"}</a>
        </p>
      )}
    </div>
  );
}

const TotpField = () => (
  <Field
    id="code"
    name="code"
    label="Code"
    hint="The six digits in your authenticator app."
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={12}
    required
    autoFocus
  />
);

const RecoveryField = () => (
  <Field
    id="code"
    name="code"
    label="Recovery code"
    hint="One of the codes that you saved when you set up two-factor authentication. Each code works once."
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={40}
    required
    autoFocus
  />
);
