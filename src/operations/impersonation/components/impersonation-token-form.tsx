import type { CreationState } from "@/oauth/personal-access-tokens/actions";
import { TokenForm } from "@/oauth/personal-access-tokens/components/token-form";
import type { PersonalTokenDraft } from "@/oauth/personal-access-tokens/rules";

type Props = Readonly<{
  action: (before: CreationState, form: FormData) => Promise<CreationState>;
  draft: PersonalTokenDraft;
  userId: number;
  /** The URL path of the page that lists the impersonation tokens. */
  url: string;
}>;

/** Shows the form that creates an impersonation token. */
export const ImpersonationTokenForm = ({ action, draft, userId, url }: Props) => (
  <TokenForm action={action} draft={draft} home={url}>
    <input type="hidden" name="user_id" value={userId} />
  </TokenForm>
);
