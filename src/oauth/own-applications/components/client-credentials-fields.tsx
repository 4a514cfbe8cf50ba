import { MACHINE_SCOPES, type MachineScope } from "@/access/scopes";
import { FormChoice, FormChoiceGroup } from "@/ui/form-fields";

/**
 * The explanations of the scopes of the bot. The explanations in the catalog of scopes are not used,
 * because these explanations address the user who gives consent.
 */
const DETAILS: Readonly<Record<MachineScope, string>> = {
  read_user: "Read the profile of the bot.",
  read_repository: "Read the repositories that the bot can see.",
  read_registry: "Read the container images that the bot can see.",
  read: "Read everything that the bot can see.",
  read_api: "Read everything that the bot can read, through the API.",
  mcp: "Use the MCP server as the bot.",
  write_repository: "Push to the repositories of the bot’s projects.",
  write_registry: "Push container images to the bot’s projects.",
  create_runner: "Create runners for the projects and groups that the bot manages.",
  manage_runner: "Manage the runners that the bot manages.",
  api: "Read and change everything that the bot can, through the API and Git.",
};

/** Shows the scopes of the client credentials grant of an application. */
export function ClientCredentialsFields() {
  return (
    <FormChoiceGroup
      id="client-credentials"
      legend="Client credentials grant"
      hint="A confidential application can use these scopes through its own bot user. To give the bot access, add the bot to projects and groups. Select no scope to turn the grant off."
      problemKey="clientCredentialsScopes"
    >
      {MACHINE_SCOPES.map((scope) => (
        <FormChoice
          key={scope}
          id={`client-credentials-${scope}`}
          type="checkbox"
          name="client_credentials_scopes"
          value={scope}
          label={
            <>
              Act with <code>{scope}</code>
            </>
          }
          detail={DETAILS[scope]}
        />
      ))}
    </FormChoiceGroup>
  );
}
