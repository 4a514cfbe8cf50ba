import { ChoiceGroup } from "@/ui/choice";
import { FormChoice, FormField } from "@/ui/form-fields";

/** Shows the fields for the URL that receives logout tokens. */
export function BackchannelLogoutFields() {
  return (
    <>
      <FormField
        id="backchannel-logout-uri"
        name="backchannel_logout_uri"
        type="url"
        label="Back-channel logout URI"
        hint="When a user signs out here, this server sends a logout token to this URL, so that the application can end its own session. If this URL is set, a sign-out also revokes the access and refresh tokens of the session, unless the application requested offline_access."
        problemKey="backchannelLogout"
      />
      <ChoiceGroup id="logout" legend="Logout tokens">
        <FormChoice
          id="backchannel-logout-session-required"
          type="checkbox"
          name="backchannel_logout_session_required"
          value="true"
          label="The application requires the session id (sid)"
          detail="Each logout token contains the session id in addition to the user."
        />
      </ChoiceGroup>
    </>
  );
}
