import { MACHINE_SCOPES, SCOPES } from "@/access/scopes";
import { ChoiceGroup, ChoiceRow } from "@/ui/choice";

/** Shows the scopes of the client credentials grant of an application. */
export function ClientCredentialsFields(props: {
  readonly scopes: readonly string[] | undefined;
  readonly problems: readonly string[] | undefined;
}) {
  return (
    <ChoiceGroup
      id="client-credentials"
      legend="Client credentials grant"
      hint="The scopes with which a confidential application can act without a person, as a bot user of its own. The bot has the access of its memberships: add it to projects and groups. Select no scope to turn the grant off."
      problems={props.problems}
    >
      {MACHINE_SCOPES.map((scope) => (
        <ChoiceRow
          key={scope}
          id={`client-credentials-${scope}`}
          type="checkbox"
          name="client_credentials_scopes"
          value={scope}
          defaultChecked={props.scopes?.includes(scope) === true}
          label={
            <>
              Act with <code>{scope}</code>
            </>
          }
          detail={`${SCOPES[scope].label}.`}
        />
      ))}
    </ChoiceGroup>
  );
}
