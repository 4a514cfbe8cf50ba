import { ALL_ROLES, ROLES, type Role, reaches } from "@/access/roles";
import { TokenForm } from "@/oauth/personal-access-tokens/components/token-form";
import { FormSelect } from "@/ui/form-fields";
import type { AccessTokenState } from "../actions";
import type { AccessTokenDraft, AccessTokenProblems } from "../rules";

type Props = Readonly<{
  action: (before: AccessTokenState, form: FormData) => Promise<AccessTokenState>;
  draft: AccessTokenDraft;
  resource: Readonly<{ kind: "project" | "group"; id: number }>;
  /** The role of the viewer. The form does not offer roles above this role. */
  held: Role;
  /** The path of the page with the list of tokens. */
  url: string;
}>;

/** Shows the form that creates an access token of a project or a group. */
export const AccessTokenForm = ({ action, draft, resource, held, url }: Props) => (
  <TokenForm<AccessTokenDraft, AccessTokenProblems> action={action} draft={draft} home={url}>
    <input type="hidden" name="kind" value={resource.kind} />
    <input type="hidden" name="place" value={resource.id} />
    <FormSelect
      id="role"
      name="role"
      label="Role"
      hint="The token has at most the permissions of a member with this role."
    >
      {ALL_ROLES.filter((role) => reaches(held, role)).map((role) => (
        <option key={role} value={role}>
          {ROLES[role].label}
        </option>
      ))}
    </FormSelect>
  </TokenForm>
);
