import { SCOPES } from "@/access/scopes";
import type { ShownApplication } from "@/oauth/applications/rules";
import { trialPath } from "@/oauth/authorizations/trial-path";
import { ApplicationTrail } from "@/oauth/own-applications/components/application-trail";
import { ButtonLink } from "@/ui/button";
import { Card } from "@/ui/card";
import { CodeBlock } from "@/ui/code-block";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-shell";
import { SectionNav } from "@/ui/section-nav";
import type { Step } from "../steps";

type Start = Readonly<{ application: ShownApplication; authorizationUrl: string; redirectUri: string }>;

/**
 * Explains a trial authorization, and shows the link to the authorization request that starts the trial
 * authorization.
 */
export function TrialStart({ application, authorizationUrl, redirectUri }: Start) {
  return (
    <>
      <ApplicationTrail application={application} />
      <PageHead title={`Try the authorization of ${application.name}`} />
      <Card
        title="1. Authorization request"
        about="In a real authorization, the application opens this URL in the browser of the user. The URL requests all scopes of the application, with PKCE and a state."
      >
        <CodeBlock label="GET" code={authorizationUrl} />
        <ul className="grid gap-1 text-small">
          {application.scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code> · {SCOPES[scope].label}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="2. Consent and the next steps">
        <p>
          The server asks for your consent and returns to a page of this server,{" "}
          <code className="break-all">{redirectUri}</code>, in place of your redirect URI. The page exchanges
          the authorization code, calls the API with the token, shows each request and response, and revokes
          the tokens. Only you can use this redirect URI, once, within 15 minutes. Your registered redirect
          URIs do not change.
        </p>
        <div>
          <ButtonLink kind="primary" href={authorizationUrl}>
            Start the authorization
          </ButtonLink>
        </div>
      </Card>
    </>
  );
}

/** The number of the first step after the authorization request and the consent. */
const FIRST_STEP = 3;

const sectionOf = (at: number): string => `section-step-${at + FIRST_STEP}`;

/** Shows the steps of a trial authorization. */
export function TrialSteps(props: {
  readonly application: ShownApplication;
  readonly steps: readonly Step[] | null;
}) {
  const { application, steps } = props;
  const trail = (
    <ApplicationTrail application={application} page={{ label: "Try the authorization", segment: "try" }} />
  );
  const links = (
    <div className="flex flex-wrap gap-3">
      <ButtonLink kind="primary" href={trialPath(application.id)}>
        Try again
      </ButtonLink>
      <ButtonLink href={`/user_settings/applications/${application.id}`}>Back to the application</ButtonLink>
    </div>
  );
  if (steps === null)
    return (
      <>
        {trail}
        <PageHead title="This trial authorization has ended" />
        <Notice kind="warning">
          Each trial authorization runs once, within 15 minutes, in the session that started it. Start another
          trial authorization.
        </Notice>
        {links}
      </>
    );
  return (
    <>
      {trail}
      <PageHead
        title={`The authorization of ${application.name}`}
        about="The steps after the authorization request and your consent. All tokens on this page are revoked."
      />
      <SectionNav sections={steps.map(({ title }, at) => ({ id: sectionOf(at), label: title }))} />
      {steps.map(({ title, about, request, response }, at) => (
        <Card key={title} id={sectionOf(at)} title={`${at + FIRST_STEP}. ${title}`} about={about}>
          {request === null ? null : <CodeBlock label="Request" code={request} />}
          {response === null ? null : <CodeBlock label="Response" code={response} />}
        </Card>
      ))}
      {links}
    </>
  );
}
