"use client";

import { useActionState } from "react";
import { Badge } from "@/ui/badge";
import { Button } from "@/ui/button";
import { Confirm } from "@/ui/confirm";
import { Expiry } from "@/ui/expiry";
import { Field } from "@/ui/field";
import { isolated } from "@/ui/isolated";
import { Notice } from "@/ui/notice";
import { OneLine } from "@/ui/one-line";
import { Row, Rows } from "@/ui/rows";
import { Ago } from "@/ui/time";
import type { RotationState } from "../actions";
import type { PersonalToken } from "../rules";
import { NewTokenValue } from "./new-value";

/**
 * An access token in a list of access tokens. `note` explains why a token that has not expired is invalid.
 */
type ListedToken = PersonalToken & Readonly<{ badge?: string; note?: string | undefined }>;

type Props = Readonly<{
  tokens: readonly ListedToken[];
  /** The hidden fields of the forms that rotate and revoke a token. */
  fields?: Readonly<Record<string, string>>;
  now: Date;
  /** The suggested expiration date of the token that replaces a rotated token. */
  expiry: string;
  /** The action that rotates a token; null for tokens that cannot be rotated. */
  rotate: ((before: RotationState, form: FormData) => Promise<RotationState>) | null;
  revoke: (form: FormData) => Promise<void>;
}>;

/** Shows the tokens of a user, a project or a group, with the value of a token that was just rotated. */
export function TokenList({ tokens, fields = {}, now, expiry, rotate, revoke }: Props) {
  const [state, rotateAction, pending] = useActionState(rotate ?? unchanged, null);
  return (
    <>
      {state?.kind === "created" ? <NewTokenValue token={state} /> : null}
      {state?.kind === "refused" ? <Notice kind="problem">{state.text}</Notice> : null}
      <Rows>
        {tokens.map((token) => (
          <Row key={token.id}>
            <TokenFacts token={token} now={now} />
            <div className="flex flex-wrap gap-2">
              {rotate === null ? null : (
                <Confirm
                  id={`rotate-${token.id}`}
                  kind="plain"
                  size="small"
                  summary="Rotate"
                  title={`Rotate ${isolated(token.name)}?`}
                  question={<RotationQuestion id={token.id} expiry={expiry} />}
                >
                  <form id={`rotation-${token.id}`} action={rotateAction}>
                    <HiddenFields values={{ ...fields, id: String(token.id) }} />
                    <Button kind="primary" disabled={pending}>
                      Rotate this token
                    </Button>
                  </form>
                </Confirm>
              )}
              <Confirm
                id={`revoke-${token.id}`}
                size="small"
                summary="Revoke"
                title={`Revoke ${isolated(token.name)}?`}
                question="Every program that uses this token loses access immediately. You cannot undo the revocation."
              >
                <form action={revoke}>
                  <HiddenFields values={{ ...fields, id: String(token.id) }} />
                  <Button kind="danger">Revoke this token</Button>
                </form>
              </Confirm>
            </div>
          </Row>
        ))}
      </Rows>
    </>
  );
}

const unchanged = (before: RotationState): Promise<RotationState> => Promise.resolve(before);

const HiddenFields = ({ values }: { readonly values: Readonly<Record<string, string>> }) =>
  Object.entries(values).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);

/** Shows the question and the date field of the dialog that rotates a token. */
function RotationQuestion({ id, expiry }: { readonly id: number; readonly expiry: string }) {
  return (
    <div className="grid gap-4">
      <p>A new token with the same name and scopes replaces this token, which stops working immediately.</p>
      <div className="text-ink">
        <Field
          id={`expires-${id}`}
          form={`rotation-${id}`}
          name="expires_at"
          type="date"
          label="Expiration date of the new token"
          hint="The latest date is 365 days from now, which is also the default."
          defaultValue={expiry}
        />
      </div>
    </div>
  );
}

function TokenFacts({ token, now }: { readonly token: ListedToken; readonly now: Date }) {
  const { name, scopes, createdAt, lastUsedAt, expiresAt, badge, note } = token;
  return (
    <div className="grid min-w-48 flex-1 grid-cols-[minmax(0,1fr)] gap-0.5 md:gap-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 md:flex-nowrap">
        <OneLine text={name} className="font-semibold" />
        <span className="flex flex-wrap gap-1 md:max-w-3/4 md:shrink-0">
          {badge === undefined ? null : <Badge>{badge}</Badge>}
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
      </p>
      <p className="text-small text-muted">
        Created <Ago at={createdAt} now={now} />
        {" · "}
        {lastUsedAt === null ? (
          "not used yet"
        ) : (
          <>
            last used <Ago at={lastUsedAt} now={now} />
          </>
        )}
        {" · "}
        <Expiry at={expiresAt} now={now} />
      </p>
      {note === undefined ? null : <p className="text-small text-danger">{note}</p>}
    </div>
  );
}
