import { confirmedEmail, type User } from "@/access/principal";
import { commentsOfUser } from "@/error-tracking/comments/service";
import { sessionsOfUser } from "@/identity/sessions/own-sessions";
import { sessionCsrfTokenMatches, sessionOf } from "@/identity/sessions/service";
import { twoFactorOf } from "@/identity/two-factor/service";
import * as audit from "@/instance/audit/service";
import { listOptOuts } from "@/instance/mail/opt-outs";
import { type Deps, systemDeps } from "@/kernel/deps/deps";
import { readFields, refused } from "@/kernel/http/form-response";
import { formOrigin } from "@/kernel/http/same-origin";
import { listOwn } from "@/oauth/applications/own-list";
import { listPersonalTokens } from "@/oauth/personal-access-tokens/service";
import { listGrants } from "@/oauth/tokens/own-grants";
import { membershipsOfUser } from "@/workspace/members/service";
import { eventsInBatches } from "../audit/history";

/** The purpose of the CSRF token of the form that downloads the user's data. */
export const EXPORT_CSRF_PURPOSE = "data_export";

/** The number of rows in a batch. The batch size limits the memory of an export. */
const ROWS_PER_BATCH = 200;

/**
 * `POST /user_settings/export` responds with the data of the signed-in user as a JSON file, without secrets.
 */
export async function exportOwnData(request: Request): Promise<Response> {
  const deps = systemDeps();
  if (formOrigin(request.headers, deps.config.issuer) === "other") return refused();
  const form = await readFields(request);
  const session = await sessionOf(deps, request.headers.get("cookie"));
  const token = form?.get("form_token") ?? "";
  if (session === null || !sessionCsrfTokenMatches(deps, session, EXPORT_CSRF_PURPOSE, token))
    return refused();
  const { user } = session;
  await audit.record(deps, "profile.exported", {}, { userId: user.id });
  return new Response(streamOf(textOf(deps, user)), {
    headers: {
      "content-type": "application/json",
      "content-disposition": `attachment; filename="gatehouse-${user.username}.json"`,
      "cache-control": "no-store",
    },
  });
}

/**
 * Returns the parts of a JSON file as a stream. The next part is created only after the client has read the
 * previous part.
 */
function streamOf(parts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: async () => {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Returns the parts of a JSON object with the data of a user. */
async function* textOf(deps: Deps, user: User): AsyncGenerator<string, void> {
  yield `{"exported_at":${JSON.stringify(deps.clock())},"profile":${JSON.stringify(await profileOf(deps, user))}`;
  for (const [name, batches] of Object.entries(listsOf(deps, user))) {
    yield `,\n${JSON.stringify(name)}:[`;
    let separator = "";
    for await (const rows of batches) {
      if (rows.length === 0) continue;
      yield separator + rows.map((row) => JSON.stringify(row)).join(",\n");
      separator = ",\n";
    }
    yield "]";
  }
  yield "}\n";
}

async function profileOf(deps: Deps, user: User) {
  const [twoFactor, optOuts] = await Promise.all([twoFactorOf(deps, user), listOptOuts(deps, user.id)]);
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    email: confirmedEmail(user),
    created_at: user.createdAt,
    administrator: user.admin,
    private_profile: user.privateProfile,
    switched_off_emails: optOuts,
    authenticator_app: twoFactor.totp,
    unused_recovery_codes: twoFactor.recoveryCodesLeft,
    passkeys: twoFactor.passkeys.map(({ name, createdAt, lastUsedAt }) => ({
      name,
      created_at: createdAt,
      last_used_at: lastUsedAt,
    })),
  };
}

type Batches = AsyncIterable<readonly object[]> | readonly Promise<readonly object[]>[];

/**
 * Returns the lists of the data export, in the order of the exported file. The rows of a list are read from
 * the database only when the client reads this list.
 */
const listsOf = (deps: Deps, user: User): Readonly<Record<string, Batches>> => ({
  sessions: sessionsIn(deps, user),
  memberships: membershipsIn(deps, user),
  applications: applicationsIn(deps, user),
  personal_access_tokens: tokensIn(deps, user),
  grants: grantsIn(deps, user),
  error_comments: commentsIn(deps, user),
  audit_events: eventsIn(deps, user),
});

async function* sessionsIn(deps: Deps, user: User): AsyncGenerator<readonly object[], void> {
  const { rows } = await sessionsOfUser(deps, user, ROWS_PER_BATCH);
  yield rows.map(({ address: ipAddress, userAgent, createdAt, lastSeenAt }) => ({
    ip_address: ipAddress,
    user_agent: userAgent,
    created_at: createdAt,
    last_used_at: lastSeenAt,
  }));
}

async function* membershipsIn(deps: Deps, user: User): AsyncGenerator<readonly object[], void> {
  yield await membershipsOfUser(deps, user.id);
}

async function* applicationsIn(deps: Deps, user: User): AsyncGenerator<readonly object[], void> {
  for (let page = 1; ; page++) {
    const { rows } = await listOwn(deps, { kind: "owner", id: user.id }, { page });
    if (rows.length === 0) return;
    yield rows.map(({ uid, name, scopes, createdAt }) => ({
      application_id: uid,
      name,
      scopes,
      created_at: createdAt,
    }));
  }
}

async function* tokensIn(deps: Deps, user: User): AsyncGenerator<readonly object[], void> {
  const filter = { userId: user.id, search: null, active: null, revoked: null };
  for (let page = 1; ; page++) {
    const { rows } = await listPersonalTokens(deps, filter, {
      kind: "offset",
      page,
      perPage: ROWS_PER_BATCH,
    });
    if (rows.length === 0) return;
    yield rows.map(({ name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }) => ({
      name,
      scopes,
      created_at: createdAt,
      expires_at: expiresAt,
      revoked_at: revokedAt,
      last_used_at: lastUsedAt,
    }));
  }
}

async function* grantsIn(deps: Deps, user: User): AsyncGenerator<readonly object[], void> {
  for (let after = 0; ; ) {
    const grants = await listGrants(deps, user.id, { after, most: ROWS_PER_BATCH });
    yield grants.map(({ id: _, ...grant }) => grant);
    const last = grants.at(-1);
    if (last === undefined || grants.length < ROWS_PER_BATCH) return;
    after = last.id;
  }
}

async function* commentsIn(deps: Deps, user: User): AsyncGenerator<readonly object[], void> {
  for (let after = 0; ; ) {
    const comments = await commentsOfUser(deps, user.id, { after, most: ROWS_PER_BATCH });
    yield comments.map(({ projectId, errorId, body, createdAt }) => ({
      project_id: projectId,
      error_id: errorId,
      body,
      created_at: createdAt,
    }));
    const last = comments.at(-1);
    if (last === undefined || comments.length < ROWS_PER_BATCH) return;
    after = last.id;
  }
}

async function* eventsIn(deps: Deps, user: User): AsyncGenerator<readonly object[], void> {
  const all = { name: null, applicationId: null, from: null, until: null };
  for await (const events of eventsInBatches(deps, { ...all, userId: user.id }, ROWS_PER_BATCH))
    yield events
      // An event that the user caused about another user belongs to the data of the other user.
      .filter((event) => event.user?.id === user.id)
      .map(({ id, at, name, details, actor, byCommandLine }) => ({
        id,
        at,
        name,
        by: byCommandLine ? "command line" : actor?.id === user.id ? "you" : "administrator",
        details: JSON.parse(details),
      }));
}
