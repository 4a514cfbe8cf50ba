import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CommentForm } from "@/error-tracking/comments/components/comment-form.tsx";
import { EmailForm, PasswordForm, ProfileForm } from "@/identity/profile/components/profile-forms.tsx";
import { TotpEnrollment } from "@/identity/two-factor/components/totp-enrollment.tsx";
import { TurnOff } from "@/identity/two-factor/components/turn-off.tsx";
import { Maintainer } from "@/oauth/own-applications/components/maintainer.tsx";
import * as administration from "@/operations/administration/components/account-forms.tsx";
import { InviteForm } from "@/workspace/invitations/components/invite-form.tsx";
import { AddMemberForm } from "@/workspace/member-pages/components/add-member-form.tsx";
import { MergeMethodForm } from "@/workspace/projects/components/merge-method-form.tsx";

/** The state that the server action of a form returned; undefined before the form is submitted. */
const answer = vi.hoisted(() => ({ state: undefined as unknown }));
vi.mock("react", async (original) => ({
  ...(await original<object>()),
  useActionState: (_action: unknown, initial: unknown) => [answer.state ?? initial, () => undefined, false],
}));
beforeEach(() => {
  answer.state = undefined;
});

const action = async () => null as never;
const removal = async () => undefined;
const PROBLEM = { problem: "The reason." };
const PENDING = { uri: "", qr: { size: 1, path: "" }, secret: "", sealed: "" };
const APPLICATION = { id: 1, owner: { kind: "user" }, maintainer: null, right: "own" } as never;
const RESOURCE = { kind: "project", id: 1 } as const;

const FORMS: readonly Readonly<{ name: string; form: ReactElement; state: unknown }>[] = [
  {
    name: "the profile",
    form: <ProfileForm action={action} name="Ann" privateProfile={false} />,
    state: { typed: {}, problems: { name: "The reason." } },
  },
  {
    name: "the e-mail address",
    form: <EmailForm action={action} hasPassword />,
    state: { typed: {}, problems: { email: "The reason." } },
  },
  {
    name: "the password",
    form: <PasswordForm action={action} username="ann" hasPassword charactersMin={8} />,
    state: { typed: {}, problems: { currentPassword: "The reason." }, revokesAccess: true },
  },
  {
    name: "the first password",
    form: <PasswordForm action={action} username="ann" hasPassword={false} charactersMin={8} />,
    state: { typed: {}, problems: { currentPassword: "The reason." }, revokesAccess: true },
  },
  {
    name: "the e-mail address of another user",
    form: <administration.EmailForm id={1} email={null} held={null} action={action} />,
    state: { kind: "editing", email: "ann", ...PROBLEM },
  },
  {
    name: "the password of another user",
    form: <administration.PasswordForm id={1} username="ann" discarded={false} action={action} />,
    state: { kind: "editing", email: null, ...PROBLEM },
  },
  {
    name: "a comment",
    form: <CommentForm action={action} projectId={1} errorId={1} charactersMax={9} />,
    state: { draft: "", ...PROBLEM },
  },
  {
    name: "a new member",
    form: <AddMemberForm action={action} resource={RESOURCE} held="owner" />,
    state: {
      draft: { username: "", role: "developer", expiresAt: "" },
      problems: { username: "The reason." },
    },
  },
  { name: "an invitation", form: <InviteForm action={action} about="" />, state: { email: "", ...PROBLEM } },
  {
    name: "a second maintainer",
    form: <Maintainer application={APPLICATION} add={action} remove={removal} />,
    state: { username: "", ...PROBLEM },
  },
  { name: "the end of two-factor authentication", form: <TurnOff action={action} />, state: "The reason." },
  {
    name: "an authenticator app",
    form: <TotpEnrollment action={action} pending={PENDING} returnTo={null} />,
    state: { kind: "pending", pending: PENDING, ...PROBLEM },
  },
  {
    name: "the merge method",
    form: <MergeMethodForm action={action} project={1} chosen="merge" />,
    state: PROBLEM,
  },
];

const FOCUSED_ALERT = /<div role="alert"[^>]* autofocus=""/g;

describe("a refused form", () => {
  it.each(FORMS)(
    "after a refusal, the form for $name shows the reason in one alert, which gets the focus",
    ({ form, state }) => {
      expect(renderToStaticMarkup(form)).not.toContain('role="alert"');
      answer.state = state;
      const html = renderToStaticMarkup(form);
      expect(html.match(FOCUSED_ALERT)).toHaveLength(1);
      expect(html).toContain("The reason.");
    },
  );
});

it("after an administrator has reset a user's password, the message about the reset gets the focus", () => {
  answer.state = { kind: "reset", password: null };
  const form = <administration.PasswordForm id={1} username="ann" discarded={false} action={action} />;
  expect(renderToStaticMarkup(form)).toMatch(
    /<div role="status"[^>]* autofocus=""[^>]*>ann has a new password/,
  );
});
