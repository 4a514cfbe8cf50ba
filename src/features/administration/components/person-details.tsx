import type { ReactNode } from "react";
import { Button, type ButtonKind } from "@/ui/button";
import { Card, Fact, Facts } from "@/ui/card";
import { Confirm } from "@/ui/confirm";
import { Ago } from "@/ui/time";
import type { Person } from "../../users/administration";
import {
  blockPerson,
  demoteAdministrator,
  makeAdministrator,
  resetSecondFactor,
  unblockPerson,
} from "../actions";
import { LastSignIn, PersonBadges } from "./people-table";

/** One person, and what an administrator can do about them. */
export function PersonDetails(props: {
  readonly person: Person;
  /** Whether this is the administrator who looks. */
  readonly self: boolean;
  readonly now: Date;
}) {
  const { person, self, now } = props;
  return (
    <>
      <Facts>
        <Fact name="Username">{person.username}</Fact>
        <Fact name="E-mail">
          {person.email}
          {person.emailVerified ? null : <span className="text-muted"> (not confirmed)</span>}
        </Fact>
        <Fact name="State">
          <PersonBadges person={person} />
        </Fact>
        <Fact name="Two-factor">
          {person.twoFactorSince === null ? "Not set up" : <Ago at={person.twoFactorSince} now={now} />}
        </Fact>
        <Fact name="Created">
          <Ago at={person.createdAt} now={now} />
        </Fact>
        <Fact name="Last sign-in">
          <LastSignIn at={person.lastSignIn} now={now} />
        </Fact>
        <Fact name="Events">
          <a href={`/admin/audit_events?person=${encodeURIComponent(person.username)}`}>
            What they did, and what was done to them
          </a>
        </Fact>
      </Facts>
      {self ? (
        <p className="text-muted">
          This is you. Another administrator can block you or take your rights; you cannot.
        </p>
      ) : (
        <>
          {person.twoFactorSince === null ? null : <SecondFactor person={person} />}
          <Rights person={person} />
          <Access person={person} />
        </>
      )}
    </>
  );
}

function SecondFactor({ person: { id, username } }: { readonly person: Person }) {
  return (
    <Card
      title="Second factor"
      about="For somebody who has lost theirs and their recovery codes too. Make sure that it is them who ask."
      action={
        <Confirm
          id="reset-second-factor"
          summary="Remove"
          title={`Remove the second factor of ${username}?`}
          question={`${username} signs in by password alone until they set up a new one. Passkeys and recovery codes go too.`}
        >
          <Act action={resetSecondFactor} id={id} kind="danger">
            Remove the second factor of {username}
          </Act>
        </Confirm>
      }
    />
  );
}

function Rights({ person }: { readonly person: Person }) {
  const { username, admin } = person;
  return (
    <Card
      title={admin ? "Administrator" : "Not an administrator"}
      about={
        admin
          ? "Sees and changes everything on these pages."
          : "An administrator sees and changes everything on these pages."
      }
      action={
        admin ? (
          <Confirm
            id="demote"
            summary="Take the rights away"
            title={`Take the administrator's rights from ${username}?`}
            question="They go on working as anybody else."
          >
            <Act action={demoteAdministrator} id={person.id} kind="danger">
              Take the rights from {username}
            </Act>
          </Confirm>
        ) : (
          <Confirm
            id="promote"
            kind="plain"
            summary="Make an administrator"
            title={`Make ${username} an administrator?`}
            question="They can then block you, read the audit events and change every setting."
          >
            <Act action={makeAdministrator} id={person.id} kind="plain">
              Make {username} an administrator
            </Act>
          </Confirm>
        )
      }
    />
  );
}

function Access({ person }: { readonly person: Person }) {
  const { username } = person;
  return person.state === "blocked" ? (
    <Card
      title="Blocked"
      about="They cannot sign in, and their tokens do not work. Once unblocked, tokens that have not expired work again."
      action={
        <Act action={unblockPerson} id={person.id} kind="plain">
          Unblock
        </Act>
      }
    />
  ) : (
    <Card
      title="Block"
      about="Ends their sessions, stops their tokens and keeps them from signing in. Nothing is deleted."
      action={
        <Confirm
          id="block"
          summary="Block"
          title={`Block ${username}?`}
          question={`${username} is signed out everywhere, and every application that acts for them is refused. You can unblock them at any time.`}
        >
          <Act action={blockPerson} id={person.id} kind="danger">
            Block {username}
          </Act>
        </Confirm>
      }
    />
  );
}

/** A form of one button that does something to a row. */
export const Act = (props: {
  readonly action: (form: FormData) => Promise<void>;
  readonly id: number;
  readonly kind: ButtonKind;
  readonly children: ReactNode;
}) => (
  <form action={props.action}>
    <input type="hidden" name="id" value={props.id} />
    <Button kind={props.kind} className="max-w-full whitespace-normal! wrap-anywhere">
      {props.children}
    </Button>
  </form>
);
