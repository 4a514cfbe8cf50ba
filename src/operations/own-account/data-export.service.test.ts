import { POST } from "@app/user_settings/export/route.ts";
import { expect, it } from "vitest";
import { addComment } from "@/error-tracking/comments/service.ts";
import { ingest } from "@/error-tracking/tracked-errors/service.ts";
import { sessionCsrfToken, sessionOf } from "@/identity/sessions/service.ts";
import { readSettings } from "@/instance/settings/service.ts";
import { createPersonalToken } from "@/oauth/personal-access-tokens/service.ts";
import { issue } from "@/oauth/tokens/service.ts";
import { encoded, formPost, registeredClient, signedInUser } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, projectOf } from "@/testing/projects.ts";
import { enrolledApp } from "@/testing/second-factor.ts";
import { EXPORT_CSRF_PURPOSE } from "./data-export.ts";

const deps = await openTestDeps();

it("the export of a user's data contains grants, tokens, sessions, comments and audit events, but no secrets", async () => {
  const ann = await signedInUser(deps, "ann");
  const client = await registeredClient(deps, ann.user);
  await groupOf(deps, ann.user, "team");
  await enrolledApp(deps, ann.user);
  const token = await createPersonalToken(deps, ann.user, { name: "ci", scopes: ["api"], expiresAt: null });
  if ("problems" in token) throw new Error("The token was not created.");
  const applicationId = client.application.id;
  const grant = { type: "password", applicationId, userId: ann.user.id, scopes: ["read_user"] } as const;
  const issued = await issue(deps, await readSettings(deps), grant);
  const other = await signedInUser(deps, "ben");
  const project = await projectOf(deps, other.user, "shop");
  const event = { eventId: "0".repeat(32), body: { message: "It broke" } };
  await ingest(deps, project, { events: [event], dropped: [] });
  const { id: errorId } = await deps.db.trackedError.findFirstOrThrow();
  for (const body of ["At night.", "Fixed."])
    await addComment(deps, project, { errorId, body, author: ann.user });
  const session = await sessionOf(deps, ann.cookie);
  if (session === null) throw new Error("The session is not live.");
  const post = (form_token: string) =>
    POST(formPost("/user_settings/export", encoded({ form_token }), { cookie: ann.cookie }));
  expect((await post("forged")).status).toBe(403);
  const text = await (await post(sessionCsrfToken(deps, session, EXPORT_CSRF_PURPOSE))).text();
  expect(JSON.parse(text)).toMatchObject({
    profile: { username: "ann", email: ann.user.email, authenticator_app: true },
    sessions: [{ ip_address: expect.any(String) }],
    memberships: [{ kind: "group", path: "team", role: "owner" }],
    applications: [{ application_id: client.id }],
    personal_access_tokens: [{ name: "ci", scopes: ["api"] }],
    grants: [{ application: "Client", grant_type: "password", scopes: ["read_user"] }],
    error_comments: [
      { error_id: errorId, body: "At night." },
      { project_id: project.id, body: "Fixed." },
    ],
  });
  expect(JSON.parse(text).audit_events.map(({ name }: { name: string }) => name)).toContain(
    "sign_in.succeeded",
  );
  const row = await deps.db.user.findUniqueOrThrow({ where: { id: ann.user.id }, include: { totp: true } });
  const secrets = [
    token.value,
    issued.accessToken,
    client.secret,
    row.passwordDigest,
    row.totp?.sealedSecret,
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/digest|sealed/i);
});
