import { ChoiceGroup, ChoiceRow } from "@/ui/choice";
import { Field } from "@/ui/field";
import type { BackchannelLogout } from "../../applications/backchannel-logout";

/** Shows the fields for the URL that receives logout tokens. */
export function BackchannelLogoutFields(props: {
  readonly logout: BackchannelLogout;
  readonly problems: readonly string[] | undefined;
}) {
  const { logout, problems } = props;
  return (
    <>
      <Field
        id="backchannel-logout-uri"
        name="backchannel_logout_uri"
        type="url"
        label="Back-channel logout URI"
        hint="When a user signs out here, this server sends a logout token to this URL, so that the application can end its own session. Refresh tokens are then revoked unless the application requested offline_access."
        defaultValue={logout.uri ?? ""}
        problems={problems}
      />
      <ChoiceGroup id="logout" legend="Logout tokens">
        <ChoiceRow
          id="backchannel-logout-session-required"
          type="checkbox"
          name="backchannel_logout_session_required"
          value="true"
          defaultChecked={logout.sessionRequired}
          label="The application requires the session id (sid)"
          detail="Each logout token contains the session id in addition to the user."
        />
      </ChoiceGroup>
    </>
  );
}
