import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-shell";
import type { SecretPage } from "../loaders";
import { ApplicationTrail } from "./application-trail";
import { Snippets } from "./snippets";
import { UnsavedSecret } from "./unsaved-secret";

const HOME = "/user_settings/applications";

/**
 * Shows a new secret once, as a field, as an environment file and in the code snippets of the application.
 */
export function NewSecretPage({ page }: { readonly page: SecretPage }) {
  const { application, secret } = page;
  if (secret === null)
    return (
      <>
        <ApplicationTrail application={application} />
        <AlreadyShown id={application.id} name={application.name} />
      </>
    );
  return (
    <>
      <ApplicationTrail application={application} />
      <PageHead
        title={`Save the secret of ${application.name}`}
        about="This page shows the secret once. The server cannot show the secret again."
      />
      <UnsavedSecret secret={secret.value}>
        <CopyField id="application_id" label="Application ID" value={application.uid} />
        <CopyField id="secret" label="Secret" value={secret.value} />
        <CodeBlock label="Environment file (.env)" code={secret.environment} />
        {secret.isSecond ? (
          <Notice kind="warning">
            Both secrets of the application work. Update your servers, and then remove the old secret.
          </Notice>
        ) : null}
        <div className="flex flex-wrap items-center gap-3">
          <ButtonLink kind="primary" href={`${HOME}/${application.id}`}>
            Continue to the application
          </ButtonLink>
        </div>
        <Snippets
          snippets={secret.snippets}
          about="Code snippets for common clients, with the values of this application. Commands contain the secret. Programs read CLIENT_SECRET from the environment file above."
        />
      </UnsavedSecret>
    </>
  );
}

function AlreadyShown(props: { readonly id: number; readonly name: string }) {
  return (
    <>
      <PageHead title={`The secret of ${props.name} was already shown`} />
      <Card>
        <p>
          The server shows a new secret once, and cannot show it again. If you did not save the secret, add
          another secret on the page of the application, and then remove the lost secret.
        </p>
        <div>
          <ButtonLink kind="primary" href={`${HOME}/${props.id}`}>
            Continue to the application
          </ButtonLink>
        </div>
      </Card>
    </>
  );
}
