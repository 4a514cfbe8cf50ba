import type { ReactNode } from "react";
import { isClientUrl } from "@/oauth/applications/client-url";
import type { ListedApplication } from "@/oauth/applications/rules";
import { Button } from "@/ui/button";
import { Card, Fact, Facts } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { CopyField } from "@/ui/copy-field";
import { TextField } from "@/ui/field";
import { isolated } from "@/ui/isolated";
import { Notice } from "@/ui/notice";
import type { Section } from "@/ui/section-nav";
import { Ago } from "@/ui/time";
import {
  blockApplication,
  distrustApplication,
  markResourceServer,
  revokeTokens,
  revokeUncoveredGrants,
  setResourceIdentifiers,
  trustApplication,
  unblockApplication,
  unmarkResourceServer,
} from "../actions";
import { Act } from "./act";
import { LastUse, ownerHref, ownerLabel } from "./applications-table";

/** Returns the sections of the page of any application in the administration, in the order of the page. */
export const overviewSections = ({ owner, confidential }: ListedApplication): readonly Section[] => [
  { id: "section-facts", label: "Details" },
  { id: "section-activity", label: "Activity" },
  ...(owner.kind === "nobody" ? [] : [{ id: "section-trust", label: "Trust" }]),
  ...(confidential ? [{ id: "section-resource-server", label: "Resource server" }] : []),
  { id: "section-removed-scopes", label: "Removed scopes" },
  { id: "section-tokens", label: "Tokens" },
  { id: "section-block", label: "Block" },
];

/** Shows the details of any application, with the actions of an administrator. */
export function ApplicationOverview(props: {
  readonly application: ListedApplication;
  /** The resource identifiers of a resource server; empty for other applications. */
  readonly identifiers: readonly string[];
  readonly now: Date;
  /** The activity of the application. The page shows the activity before the actions. */
  readonly children: ReactNode;
}) {
  const { application, identifiers, now } = props;
  return (
    <>
      {application.ownerBlocked ? (
        <Notice kind="warning">
          {application.owner.kind === "group"
            ? "The group of this application has no active Owner with a permanent membership, so every request of the application is refused. The application works again when you add or unblock such an Owner, or trust the application."
            : "The owner of this application is blocked, so every request of the application is refused. The application works again when you unblock the owner or trust the application."}
        </Notice>
      ) : null}
      <CopyField id="application_id" label="Application ID" value={application.uid} />
      <Facts id="section-facts">
        <Fact name="Owner">
          <Owner application={application} />
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
        <Fact name={application.owner.kind === "nobody" ? "First seen" : "Registered"}>
          <Ago at={application.createdAt} now={now} />
        </Fact>
        <Fact name="Last used">
          <LastUse at={application.lastUsedAt} now={now} />
        </Fact>
        <Fact name="Events">
          <a href={`/admin/audit_events?application=${application.uid}`}>Show audit events</a>
        </Fact>
      </Facts>
      {props.children}
      {application.owner.kind === "nobody" ? null : <Trust application={application} />}
      {application.confidential ? (
        <ResourceServer application={application} identifiers={identifiers} />
      ) : null}
      <Uncovered application={application} />
      <Tokens application={application} />
      <Block application={application} now={now} />
    </>
  );
}

function Owner({ application: { owner, uid } }: { readonly application: ListedApplication }) {
  if (owner.kind === "nobody")
    return isClientUrl(uid)
      ? "No owner. The Application ID is the URL of the client metadata document."
      : "No owner. The client used dynamic client registration.";
  return (
    <>
      <a href={ownerHref(owner)} className="wrap-anywhere">
        <bdi>{owner.name}</bdi>
      </a>{" "}
      <span className="text-muted wrap-anywhere">{ownerLabel(owner)}</span>
    </>
  );
}

function Trust({ application: { id, name, trusted } }: { readonly application: ListedApplication }) {
  return trusted ? (
    <Card
      id="section-trust"
      title="Trusted"
      about="Users are not asked for consent."
      action={
        <Act action={distrustApplication} id={id} kind="plain">
          Require consent
        </Act>
      }
    />
  ) : (
    <Card
      id="section-trust"
      title="Not trusted"
      about="Users are asked before the application may use their account."
      action={
        <Confirm
          id="trust"
          kind="plain"
          summary="Trust"
          title={`Trust ${isolated(name)}?`}
          question={`${isolated(name)} gets access to the account of every user who opens the application, and the users are not asked.`}
        >
          <Act action={trustApplication} id={id} kind="plain">
            Trust {name}
          </Act>
        </Confirm>
      }
    />
  );
}

function ResourceServer(props: {
  readonly application: ListedApplication;
  readonly identifiers: readonly string[];
}) {
  const { application, identifiers } = props;
  const { id, name, resourceServer } = application;
  return resourceServer ? (
    <Card
      id="section-resource-server"
      title="Resource server"
      about="The application may introspect the access tokens of all applications with which it shares a scope."
      action={
        <Act action={unmarkResourceServer} id={id} kind="plain">
          Limit to its own tokens
        </Act>
      }
    >
      <form action={setResourceIdentifiers} className="grid gap-3">
        <input type="hidden" name="id" value={id} />
        <TextField
          id="resource-identifiers"
          name="identifiers"
          label="Resource identifiers"
          hint="Clients name the resource server by one of these URIs in the parameter resource, and get tokens that only this application accepts. Enter one https URI or URN per line."
          rows={3}
          defaultValue={identifiers.join("\n")}
        />
        <div>
          <Button>Save identifiers</Button>
        </div>
      </form>
    </Card>
  ) : (
    <Card
      id="section-resource-server"
      title="Not a resource server"
      about="The application may introspect only its own tokens."
      action={
        <Confirm
          id="resource-server"
          kind="plain"
          summary="Allow introspection"
          title={`Allow ${isolated(name)} to introspect tokens of other applications?`}
          question={`${isolated(name)} can then ask the server about each access token that it receives. If the token has a scope of ${isolated(name)}, the response contains the user, the client and the scopes of the token.`}
        >
          <Act action={markResourceServer} id={id} kind="plain">
            Allow introspection
          </Act>
        </Confirm>
      }
    />
  );
}

function Uncovered({ application: { id, name } }: { readonly application: ListedApplication }) {
  return (
    <Card
      id="section-removed-scopes"
      title="Grants with removed scopes"
      about="When the owner removes scopes from an application, existing grants keep these scopes. You can revoke the grants with removed scopes and their tokens."
      action={
        <Confirm
          id="uncovered"
          summary="Revoke these grants"
          title={`Revoke all grants with scopes that ${isolated(name)} no longer has?`}
          question={`Every grant with a scope that ${isolated(name)} no longer has is revoked, and its user must authorize the application again. You cannot undo the revocation.`}
        >
          <Act action={revokeUncoveredGrants} id={id} kind="danger">
            Revoke these grants
          </Act>
        </Confirm>
      }
    />
  );
}

function Tokens({ application: { id, name } }: { readonly application: ListedApplication }) {
  return (
    <Card
      id="section-tokens"
      title="Tokens"
      about="You can revoke all tokens of this application. After that, the application can request new tokens unless it is blocked."
      action={
        <Confirm
          id="revoke"
          summary="Revoke all tokens"
          title={`Revoke every token of ${isolated(name)}?`}
          question={`Every user of ${isolated(name)} must connect the application again. You cannot undo the revocation.`}
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
      id="section-block"
      title="Block"
      about="The application gets no new tokens, and its tokens no longer work. Nothing is deleted."
      action={
        <Confirm
          id="block"
          summary="Block"
          title={`Block ${isolated(name)}?`}
          question={`${isolated(name)} stops working for all users immediately. You can unblock the application at any time.`}
        >
          <Act action={blockApplication} id={id} kind="danger">
            Block {name}
          </Act>
        </Confirm>
      }
    />
  ) : (
    <Card
      id="section-block"
      title="Blocked"
      about={
        <>
          Since <Ago at={blockedAt} now={now} />. The application gets no new tokens, and its tokens do not
          work.
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
