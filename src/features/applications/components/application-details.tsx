import type { ReactNode } from "react";
import { SCOPES } from "@/access/scopes";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import type { Application } from "../rules";
import { Credentials } from "./credentials";
import { SecretRenewal } from "./secret-renewal";

type Props = Readonly<{
  application: Application;
  renewSecret: (before: string | null, form: FormData) => Promise<string | null>;
  remove: (form: FormData) => Promise<void>;
}>;

/** One application as its owner sees it. The secret is not here: it was shown once. */
export function ApplicationDetails({ application, renewSecret, remove }: Props) {
  const { id, uid, name, confidential } = application;
  return (
    <>
      {confidential ? (
        <SecretRenewal action={renewSecret} id={id} uid={uid} name={name} />
      ) : (
        <Credentials uid={uid} secret={null} />
      )}
      <dl className="divide-y divide-line rounded-card border border-line bg-panel">
        <Row term="Kind">
          {confidential ? "Confidential: keeps a secret" : "Public: no secret, PKCE required"}
        </Row>
        {application.trusted ? <Row term="Trusted">People are not asked for consent.</Row> : null}
        <Row term="Redirect URIs">
          <ul>
            {application.redirectUris.map((uri) => (
              <li key={uri}>
                <code className="text-small break-all">{uri}</code>
              </li>
            ))}
          </ul>
        </Row>
        <Row term="Scopes">
          <ul className="grid gap-2">
            {application.scopes.map((scope) => (
              <li key={scope}>
                <code>{scope}</code> · {SCOPES[scope].label}
                <p className="text-small text-muted">{SCOPES[scope].detail}</p>
              </li>
            ))}
          </ul>
        </Row>
      </dl>
      <Confirm
        id="delete"
        summary="Delete this application"
        title={`Delete ${name}?`}
        question={`${name} and every token that people gave it stop working at once. This cannot be undone.`}
      >
        <form action={remove}>
          <input type="hidden" name="id" value={id} />
          <Button kind="danger">Delete {name}</Button>
        </form>
      </Confirm>
    </>
  );
}

function Row(props: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-1 px-4 py-3 sm:grid-cols-[140px_minmax(0,1fr)]">
      <dt className="text-small text-muted">{props.term}</dt>
      <dd className="min-w-0">{props.children}</dd>
    </div>
  );
}
