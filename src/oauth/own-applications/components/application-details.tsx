import { SCOPES } from "@/access/scopes";
import { Fact, Facts } from "@/ui/card";
import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import { hasSecrets } from "../../applications/client-authentication";
import type { MaintainerState, SecretState } from "../actions";
import type { OwnApplication } from "../loaders";
import { Failures } from "./failures";
import { LogoutDeliveries } from "./logout-deliveries";
import { Maintainer } from "./maintainer";
import { OwnerName, Transfer } from "./ownership";
import { Secrets } from "./secrets";
import { Snippets } from "./snippets";

type Props = OwnApplication &
  Readonly<{
    addSecret: (before: SecretState, form: FormData) => Promise<SecretState>;
    removeSecret: (form: FormData) => Promise<void>;
    addMaintainer: (before: MaintainerState, form: FormData) => Promise<MaintainerState>;
    removeMaintainer: (form: FormData) => Promise<void>;
  }>;

/** Shows the page of an application, without secrets, to a user who manages the application. */
export function ApplicationDetails(props: Props) {
  const { application, secrets, snippets, failures, logouts, now } = props;
  return (
    <>
      {application.blockedAt === null ? null : (
        <Notice kind="warning">
          <strong>An administrator blocked this application</strong>{" "}
          <Ago at={application.blockedAt} now={now} />. Users cannot authorize the application, and its tokens
          do not work. Contact an administrator.
        </Notice>
      )}
      {application.ownerBlocked && application.owner.kind === "group" ? (
        <Notice kind="warning">
          <strong>The group has no active Owner with a permanent membership.</strong> Users cannot authorize
          the application, and its tokens do not work, until the group has such an Owner.
        </Notice>
      ) : null}
      <CopyField id="application_id" label="Application ID" value={application.uid} />
      {hasSecrets(application) ? (
        <Secrets
          applicationId={application.id}
          secrets={secrets}
          now={now}
          add={props.addSecret}
          remove={props.removeSecret}
        />
      ) : null}
      <ApplicationFacts {...props} />
      <Snippets snippets={snippets} />
      <Failures failures={failures} now={now} />
      {logouts === null ? null : <LogoutDeliveries deliveries={logouts} now={now} />}
      <Maintainer application={application} add={props.addMaintainer} remove={props.removeMaintainer} />
      {application.right === "own" ? <Transfer application={application} /> : null}
    </>
  );
}

function ApplicationFacts({ application, usage, bot, now }: OwnApplication) {
  const { confidential, authMethod, trusted, redirectUris, backchannelLogout, scopes, lastUsedAt } =
    application;
  return (
    <Facts id="section-facts">
      <Fact name="Owner">
        <OwnerName owner={application.owner} />
      </Fact>
      <Fact name="Kind">
        {confidential ? "Confidential: keeps a secret" : "Public: no secret, PKCE required"}
      </Fact>
      {authMethod === null ? null : (
        <Fact name="Authentication">
          <code>{authMethod}</code> ·{" "}
          {authMethod === "private_key_jwt"
            ? "Signs assertions with its own private key"
            : "Signs assertions with its secret"}
        </Fact>
      )}
      {trusted ? <Fact name="Trusted">People are not asked for consent.</Fact> : null}
      {bot === null || application.clientCredentialsScopes.length === 0 ? null : (
        <Fact name="Bot user">
          <code className="break-all">@{bot.username}</code>
          <p className="text-muted text-small">
            {bot.isActive
              ? "With the client credentials grant, the application acts as this user. Add the bot to projects and groups by this username."
              : "An administrator blocked the bot, so the client credentials grant does not work."}{" "}
            Scopes: {application.clientCredentialsScopes.join(", ")}.
          </p>
        </Fact>
      )}
      <Fact name="Used by">
        {usage.grants === 0
          ? "Not used yet"
          : `${counted(usage.users, "person", "people")}, by ${counted(usage.grants, "active grant", "active grants")}`}
      </Fact>
      <Fact name="Last used">{lastUsedAt === null ? "Never" : <Ago at={lastUsedAt} now={now} />}</Fact>
      <Fact name="Redirect URIs">
        <ul className="grid gap-1">
          {redirectUris.map((uri) => (
            <li key={uri}>
              <code className="break-all text-small">{uri}</code>
            </li>
          ))}
        </ul>
      </Fact>
      {backchannelLogout.uri === null ? null : (
        <Fact name="Logout URI">
          <code className="break-all text-small">{backchannelLogout.uri}</code>
        </Fact>
      )}
      <Fact name="Scopes">
        <ul className="grid gap-2">
          {scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code> · {SCOPES[scope].label}
              <p className="text-muted text-small">{SCOPES[scope].detail}</p>
            </li>
          ))}
        </ul>
      </Fact>
    </Facts>
  );
}

const counted = (count: number, singular: string, plural: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`;
