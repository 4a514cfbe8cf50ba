import { Button } from "@/ui/button";
import type { PasskeyRequest } from "../passkey";

type Props = Readonly<{
  request: PasskeyRequest;
  label: string;
  kind?: "primary" | "plain";
  /** Additional fields of the form that posts the response to `/users/session`. */
  fields: Readonly<Record<string, string>>;
  /** Whether the browser also offers passkeys in the autocompletion of the login field. */
  autofill?: boolean;
}>;

/**
 * The form that posts the response of a passkey. The script of the page enables the button and requests the passkey
 * from the browser (`passkey-form.ts`).
 */
export const PasskeyButton = ({ request, label, kind = "plain", fields, autofill = false }: Props) => (
  <form
    method="post"
    action="/users/session"
    className="grid gap-2"
    data-passkey={JSON.stringify(request)}
    data-autofill={autofill ? "" : undefined}
  >
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <input type="hidden" name="credential" />
    <Button type="button" kind={kind} disabled>
      {label}
    </Button>
    <p role="status" className="text-small text-danger empty:hidden" />
    <noscript>
      <p className="text-small text-muted">Passkeys require JavaScript, which is disabled in this browser.</p>
    </noscript>
  </form>
);
