import type { ListedApplication } from "@/oauth/applications/rules";
import { Card, Fact, Facts } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { CopyField } from "@/ui/copy-field";
import { Notice } from "@/ui/notice";
import { Ago } from "@/ui/time";
import {
  blockApplication,
  distrustApplication,
  revokeTokens,
  revokeUncoveredGrants,
  trustApplication,
  unblockApplication,
} from "../actions";
import { LastUse } from "./applications-table";
import { Act } from "./user-details";

/** Anybody's application, and what an administrator can do about it. */
export function ApplicationOverview(props: { readonly application: ListedApplication; readonly now: Date }) {
  const { application, now } = props;
  return (
    <>
      {application.ownerBlocked ? (
        <Notice kind="warning">
          The owner of this application is blocked, so every request of it is refused. It works again when the
          owner is unblocked, or when you trust it.
        </Notice>
      ) : null}
      <CopyField id="application_id" label="Application ID" value={application.uid} />
      <Facts>
        <Fact name="Owner">
          <a href={`/admin/users/${application.owner.id}`}>
            <bdi>{application.owner.name}</bdi>
          </a>{" "}
          <span className="text-muted">@{application.owner.username}</span>
        </Fact>
        <Fact name="Kind">
          {application.confidential ? "Confidential: keeps a secret" : "Public: no secret"}
        </Fact>
        <Fact name="Redirect URIs">
          <ul>
            {application.redirectUris.map((uri) => (
              <li key={uri}>
                <code className="text-small break-all">{uri}</code>
              </li>
            ))}
          </ul>
        </Fact>
        <Fact name="Scopes">
          <code className="text-small">{application.scopes.join(" ")}</code>
        </Fact>
        <Fact name="Registered">
          <Ago at={application.createdAt} now={now} />
        </Fact>
        <Fact name="Last used">
          <LastUse at={application.lastUsedAt} now={now} />
        </Fact>
        <Fact name="Events">
          <a href={`/admin/audit_events?application=${application.uid}`}>What happened with it</a>
        </Fact>
      </Facts>
      <Trust application={application} />
      <Uncovered application={application} />
      <Tokens application={application} />
      <Block application={application} now={now} />
    </>
  );
}

function Trust({ application: { id, name, trusted } }: { readonly application: ListedApplication }) {
  return trusted ? (
    <Card
      title="Trusted"
      about="People are not asked whether it may use their account."
      action={
        <Act action={distrustApplication} id={id} kind="plain">
          Ask people again
        </Act>
      }
    />
  ) : (
    <Card
      title="Not trusted"
      about="People are asked before it may use their account."
      action={
        <Confirm
          id="trust"
          kind="plain"
          summary="Trust"
          title={`Trust ${name}?`}
          question={`${name} gets access to the account of everybody who opens it, without asking them.`}
        >
          <Act action={trustApplication} id={id} kind="plain">
            Trust {name}
          </Act>
        </Confirm>
      }
    />
  );
}

function Uncovered({ application: { id, name } }: { readonly application: ListedApplication }) {
  return (
    <Card
      title="Grants that exceed the scopes"
      about="When its owner removes scopes, existing grants keep the scopes that people allowed. Here you revoke those grants, with their tokens."
      action={
        <Confirm
          id="uncovered"
          summary="Revoke what is no longer covered"
          title={`Revoke the grants of ${name} that exceed its scopes?`}
          question={`People whose grant has a scope that ${name} no longer has must connect it again. This cannot be undone.`}
        >
          <Act action={revokeUncoveredGrants} id={id} kind="danger">
            Revoke what is no longer covered
          </Act>
        </Confirm>
      }
    />
  );
}

function Tokens({ application: { id, name } }: { readonly application: ListedApplication }) {
  return (
    <Card
      title="Tokens"
      about="Ends every token that anybody gave it. It can ask for new ones, unless it is blocked."
      action={
        <Confirm
          id="revoke"
          summary="Revoke all tokens"
          title={`Revoke every token of ${name}?`}
          question={`Everybody who uses ${name} has to connect it again. This cannot be undone.`}
        >
          <Act action={revokeTokens} id={id} kind="danger">
            Revoke every token of {name}
          </Act>
        </Confirm>
      }
    />
  );
}

function Block({ application, now }: { readonly application: ListedApplication; readonly now: Date }) {
  const { id, name, blockedAt } = application;
  return blockedAt === null ? (
    <Card
      title="Block"
      about="It gets no tokens any more, and those that it has stop. Nothing is deleted."
      action={
        <Confirm
          id="block"
          summary="Block"
          title={`Block ${name}?`}
          question={`${name} stops for everybody, at once. You can unblock it at any time.`}
        >
          <Act action={blockApplication} id={id} kind="danger">
            Block {name}
          </Act>
        </Confirm>
      }
    />
  ) : (
    <Card
      title="Blocked"
      about={
        <>
          Since <Ago at={blockedAt} now={now} />. It gets no tokens, and those that it has do not work.
        </>
      }
      action={
        <Act action={unblockApplication} id={id} kind="plain">
          Unblock
        </Act>
      }
    />
  );
}
