import type { Metadata } from "next";
import { KINDS } from "@/identity/providers/catalog";
import type { Query } from "@/kernel/http/query";
import { addProvider } from "@/operations/identity-providers/actions";
import { ProviderForm } from "@/operations/identity-providers/components/provider-form";
import { providerFormTexts } from "@/operations/identity-providers/form-texts";
import { loadNewProvider, newProviderPage } from "@/operations/identity-providers/loaders";
import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { CopyField } from "@/ui/copy-field";
import { PageHead } from "@/ui/page-shell";

export const metadata: Metadata = { title: "Add a sign-in provider" };

export default async function NewIdentityProviderPage(props: { readonly searchParams: Promise<Query> }) {
  const form = await loadNewProvider(await props.searchParams);
  if (form === null)
    return (
      <>
        <PageHead title="Add a sign-in provider" about="Choose the kind of the provider." />
        {Object.entries(KINDS).map(([kind, { label, about }]) => (
          <Card
            key={kind}
            title={label}
            about={about}
            action={
              <ButtonLink size="small" href={newProviderPage(kind)}>
                Add {label}
              </ButtonLink>
            }
          />
        ))}
      </>
    );
  const { draft, callback } = form;
  return (
    <>
      <PageHead title={`Add ${KINDS[draft.kind].label}`} about={KINDS[draft.kind].registration} />
      <CopyField
        id="callback"
        label={draft.name === "" ? "Redirect URI (replace NAME)" : "Redirect URI"}
        value={callback}
      />
      <ProviderForm action={addProvider} draft={draft} isNew texts={providerFormTexts(draft.kind)} />
    </>
  );
}
