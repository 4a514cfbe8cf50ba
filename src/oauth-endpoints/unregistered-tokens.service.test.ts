import { GET as getUserinfo } from "@app/oauth/userinfo/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { authenticateGit } from "@/code/git-http/credentials.ts";
import { changeSettings } from "@/instance/settings/service.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { depsOf } from "@/kernel/deps/deps.ts";
import { setResourceServer } from "@/oauth/applications/administration.ts";
import {
  basicOf,
  bearerStatus,
  type Client,
  ORIGIN,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDatabase } from "@/testing/database.ts";
import { openTestDeps } from "@/testing/deps.ts";
import {
  bearer,
  credentialsOf,
  grantedTokens,
  introspect,
  type Tokens,
  tokenInfo,
} from "@/testing/tokens.ts";

const { config: database, ...opened } = await openTestDatabase();
const deps = await openTestDeps(depsOf(opened));

let ann: SignedInUser;
let server: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  server = await registeredClient(deps, ann.user, { name: "Wiki", scopes: ["mcp", "read_user"] });
  await setResourceServer(deps, ann.user, server.application.id, true);
});

/** Changes settings in another process. */
async function changeElsewhere(changes: Parameters<typeof changeSettings>[1]): Promise<void> {
  const other = await openDatabase(database);
  expect(await changeSettings({ ...deps, ...depsOf(other) }, changes)).toEqual([]);
  await other.close();
}

/** Creates a client with this `client_id`, and grants tokens to it. After that, the client has no owner. */
async function unregisteredTokens(uid: string, scope: string): Promise<Tokens> {
  const scopes = ["openid", "mcp", "read_user", "read_repository"];
  const client = await registeredClient(deps, ann.user, { scopes, confidential: false });
  const tokens = await grantedTokens(deps, ann, client, { scope });
  await deps.db.application.update({ where: { uid: client.id }, data: { ownerId: null, uid } });
  return tokens;
}

/** Returns the endpoints that accept an access token. */
async function acceptedAt({ access }: Tokens): Promise<readonly string[]> {
  const headers = bearer(access);
  const userinfo = await getUserinfo(new Request(`${ORIGIN}/oauth/userinfo`, { headers }));
  const git = new Request(`${ORIGIN}/a/b.git/info/refs`, {
    headers: { authorization: basicOf("oauth2", access) },
  });
  const accepted = {
    api: (await bearerStatus(access)) === 200,
    userinfo: userinfo.status === 200,
    token_info: (await tokenInfo(headers)).status === 200,
    introspection: (await introspect({ ...credentialsOf(server), token: access })).body["active"] === true,
    git: await authenticateGit(deps, git).then(
      () => true,
      () => false,
    ),
  };
  return Object.entries(accepted).flatMap(([name, isAccepted]) => (isAccepted ? [name] : []));
}

describe.each([
  ["a metadata document", "client_id_metadata_documents", "https://agent.example/client.json"],
  ["a dynamic registration", "dynamic_client_registration", "0".repeat(64)],
] as const)("the tokens of a client with %s and the setting %s", (_kind, setting, uid) => {
  const refreshed = ({ refresh }: Tokens) =>
    requestToken({ grant_type: "refresh_token", client_id: uid, refresh_token: refresh });
  const all = ["api", "userinfo", "token_info", "introspection", "git"];

  it(
    conformance(
      "CD-13",
      "CR-09",
      "no endpoint accepts the tokens after another process has turned the setting off, and the tokens work again after the setting was turned on",
    ),
    async () => {
      await changeElsewhere({ [setting]: "on" });
      const tokens = await unregisteredTokens(uid, "openid mcp read_user read_repository");
      expect(await acceptedAt(tokens)).toEqual(all);
      await changeElsewhere({ [setting]: "off" });
      expect(await acceptedAt(tokens)).toEqual([]);
      expect(await refreshed(tokens)).toMatchObject(refusal("invalid_client"));
      await changeElsewhere({ [setting]: "on" });
      expect(await acceptedAt(tokens)).toEqual(all);
      await deps.db.application.deleteMany({ where: { uid } });
    },
  );

  it(
    conformance(
      "CD-13",
      "CR-09",
      "after the setting was narrowed to mcp, only tokens that have no other scope than mcp are accepted",
    ),
    async () => {
      await changeElsewhere({ [setting]: "on" });
      const tokens = await unregisteredTokens(uid, "openid mcp read_user");
      await changeElsewhere({ [setting]: "mcp" });
      expect(await acceptedAt(tokens)).toEqual([]);
      await deps.db.oauthToken.updateMany({ where: { application: { uid } }, data: { scopes: "mcp" } });
      expect(await acceptedAt(tokens)).toEqual(["token_info", "introspection", "git"]);
      await deps.db.application.deleteMany({ where: { uid } });
    },
  );

  it("the setting for the other kind of client does not affect the tokens, and no setting affects the tokens of registered applications", async () => {
    await changeElsewhere({ [setting]: "on" });
    const tokens = await unregisteredTokens(uid, "openid mcp read_user read_repository");
    const other =
      setting === "dynamic_client_registration"
        ? "client_id_metadata_documents"
        : "dynamic_client_registration";
    await changeElsewhere({ [other]: "off" });
    expect(await acceptedAt(tokens)).toEqual(all);
    await deps.db.application.deleteMany({ where: { uid } });
    await changeElsewhere({ [setting]: "off" });
    const client = await registeredClient(deps, ann.user, { scopes: ["read_user"] });
    const registered = await grantedTokens(deps, ann, client, { scope: "read_user" });
    expect(await acceptedAt(registered)).toContain("api");
  });
});
