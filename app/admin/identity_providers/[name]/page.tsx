import type { Metadata } from "next";
import { deleteProvider, saveProvider } from "@/operations/identity-providers/actions";
import { ProviderFacts } from "@/operations/identity-providers/components/provider-facts";
import { ProviderForm } from "@/operations/identity-providers/components/provider-form";
import { providerFormTexts } from "@/operations/identity-providers/form-texts";
import { loadProvider } from "@/operations/identity-providers/loaders";
import { Button } from "@/ui/button";
import { Card } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Sign-in provider" };

export default async function IdentityProviderPage(props: {
  readonly params: Promise<{ readonly name: string }>;
}) {
  const { provider, draft, callback, links } = await loadProvider((await props.params).name);
  const linked = links === 1 ? "1 account is linked." : `${links} accounts are linked.`;
  return (
    <>
      <PageHead title={provider.label} about={linked} />
      <CopyField id="callback" label="Redirect URI" value={callback} />
      {provider.fromEnvironment ? (
        <>
          <Notice kind="info">
            Environment variables define this provider. To change the provider, change the environment
            variables and restart the server.
          </Notice>
          <ProviderFacts provider={provider} />
        </>
      ) : (
        <>
          <ProviderForm
            action={saveProvider}
            draft={draft}
            isNew={false}
            texts={providerFormTexts(draft.kind)}
          />
          <Card
            danger
            title="Delete provider"
            about="Users can no longer sign in with this provider, and all linked accounts are unlinked. Users without a password then need a password reset. Roles that users got from the group mapping are removed."
            action={
              <Confirm
                id="delete-provider"
                size="small"
                summary="Delete"
                title={`Delete the provider ${provider.label}?`}
                question={`${linked} Users can no longer sign in with this provider. To keep the linked accounts, disable the provider instead.`}
              >
                <form action={deleteProvider}>
                  <input type="hidden" name="name" value={provider.name} />
                  <Button kind="danger" className="whitespace-normal! wrap-anywhere">
                    Delete {provider.label}
                  </Button>
                </form>
              </Confirm>
            }
          />
        </>
      )}
    </>
  );
}
