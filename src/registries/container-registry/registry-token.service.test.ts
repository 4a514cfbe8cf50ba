import { X509Certificate } from "node:crypto";
import { POST as postToken } from "@app/jwt/auth/route.ts";
import { describe, expect, it } from "vitest";
import { blockUserAsAdministrator } from "@/identity/users/administration.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { tokenWith } from "@/testing/api.ts";
import { PASSWORD, registeredClient, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { projectOf } from "@/testing/projects.ts";
import { openRegistryInstance, SERVICE } from "@/testing/registry-instance.ts";
import { grantedTokens } from "@/testing/tokens.ts";
import { createDeployToken } from "@/workspace/deploy-tokens/service.ts";
import { resourceOf as groupResource } from "@/workspace/groups/service.ts";
import { registryCertificate } from "./registry-key.ts";

const {
  deps,
  withoutRegistry,
  olga,
  dev,
  stranger,
  root,
  team,
  certificate,
  basic,
  token,
  queryFor,
  claimsIn,
  accessIn,
  errorIn,
} = await openRegistryInstance();

describe("the token endpoint", () => {
  it(
    conformance(
      "MA-03",
      "the token endpoint of the container registry gives a group's deploy token access to the images of the group, within the scopes of the deploy token",
    ),
    async () => {
      const draft = { name: "Pull", username: "puller", scopes: ["read_registry"], expiresAt: null };
      const manager = { resource: groupResource(team), by: olga, held: "owner" } as const;
      const created = await createDeployToken(deps, manager, draft);
      if (typeof created === "string" || "problems" in created) throw new Error("The token was not created.");
      await projectOf(deps, olga, "apart");
      const query = queryFor(
        "repository:team/shop:pull,push",
        "repository:team/inner/open:pull",
        "repository:olga/apart:pull",
      );
      const response = await token(query, basic("puller", created.value));
      expect(accessIn(response)).toEqual(["team/shop:pull", "team/inner/open:pull"]);
      expect(claimsIn(response).sub).toBe("puller");
      expect(errorIn(await token(query, basic("olga", created.value)))[0]).toBe(401);
    },
  );

  it("the token endpoint of the container registry issues a short-lived token that grants only those of the requested permissions that the user has", async () => {
    const pat = await tokenWith(deps, dev.user, ["read_registry", "write_registry"]);
    const response = await token(
      `${queryFor("repository:team/shop/web:pull,push,delete repository:team/nothing:pull", "repository:team/inner/open:push,pull")}&account=anybody&client_id=docker&offline_token=true`,
      basic("anybody", pat),
    );
    expect(claimsIn(response)).toEqual({
      iss: "http://localhost:3000",
      sub: "dev",
      aud: "container_registry",
      iat: deps.clock().getTime() / 1000,
      nbf: deps.clock().getTime() / 1000 - 5,
      exp: deps.clock().getTime() / 1000 + 300,
      jti: expect.stringMatching(/^[0-9a-f]{32}$/),
      access: [
        { type: "repository", name: "team/shop/web", actions: ["pull", "push"] },
        { type: "repository", name: "team/inner/open", actions: ["pull"] },
      ],
    });
    expect(response.body).toMatchObject({ expires_in: 300, issued_at: deps.clock().toISOString() });
    const twice = await token(queryFor("repository:team/shop:pull"), basic("x", pat));
    expect(claimsIn(twice).jti).not.toBe(claimsIn(response).jti);
  });

  it("docker login, which requests no scopes, receives a token without permissions from the token endpoint of the container registry", async () => {
    const pat = await tokenWith(deps, stranger.user, ["read_registry"]);
    expect(accessIn(await token(`account=x&${SERVICE}`, basic("x", pat)))).toEqual([]);
    expect(accessIn(await token(queryFor("repository:team/shop:pull"), basic("x", pat)))).toEqual([]);
    expect(errorIn(await token(SERVICE))).toEqual([403, "DENIED"]);
    const other = await tokenWith(deps, dev.user, ["read_api", "write_repository"]);
    expect(errorIn(await token(SERVICE, basic("x", other)))).toEqual([403, "DENIED"]);
  });

  it("the token endpoint of the container registry grants a request without credentials only permission to pull public images", async () => {
    const query = queryFor("repository:team/inner/open/a:pull,push", "repository:team/shop:pull");
    const response = await token(query);
    expect(accessIn(response)).toEqual(["team/inner/open/a:pull"]);
    expect(claimsIn(response).sub).toBe("");
  });

  it("the token endpoint of the container registry accepts only personal access tokens, and rejects OAuth tokens, passwords and authentication schemes other than Basic", async () => {
    const user = await signedInUser(deps, "paul");
    const client = await registeredClient(deps, user.user, { scopes: ["api"] });
    const { access } = await grantedTokens(deps, user, client, { scope: "api" });
    const pat = await tokenWith(deps, user.user, ["api"]);
    expect((await token(SERVICE, basic("paul", pat))).status).toBe(200);
    const refused = [
      basic("oauth2", access),
      basic("paul", access),
      basic("paul", PASSWORD),
      basic("paul", ""),
      basic("paul", `${pat}x`),
      { authorization: `Bearer ${pat}` },
      { authorization: "Basic ???" },
    ];
    for (const headers of refused) {
      const response = await token(queryFor("repository:team/inner/open:pull"), headers);
      expect(errorIn(response)).toEqual([401, "UNAUTHORIZED"]);
      expect(response.headers.get("www-authenticate")).toMatch(/^Basic /);
      expect(JSON.stringify(response.body)).toContain("HTTP Basic: Access denied.");
    }
    expect(await blockUserAsAdministrator(deps, root.user, user.user.id)).toBeNull();
    expect(errorIn(await token(SERVICE, basic("paul", pat)))).toEqual([401, "UNAUTHORIZED"]);
  });

  it("the token endpoint of the container registry rejects an unknown service, HTTP methods other than GET, and too many scopes", async () => {
    expect(await token("service=dependency_proxy&scope=repository:a/b:pull")).toMatchObject({
      status: 404,
      body: null,
    });
    expect((await token("scope=repository:a/b:pull")).status).toBe(404);
    expect(postToken().status).toBe(404);
    const many = Array.from({ length: 31 }, (_, at) => `repository:team/inner/open/${at}:pull`);
    expect(errorIn(await token(queryFor(many.join(" "))))).toEqual([400, "UNSUPPORTED"]);
    expect(accessIn(await token(queryFor(...many.slice(1))))).toHaveLength(30);
    expect(errorIn(await token(`${SERVICE}&scope=%ff`))).toEqual([400, "UNSUPPORTED"]);
  });

  it("the token endpoint of the container registry responds with 404 if no registry is configured", async () => {
    provideDeps(withoutRegistry);
    const pat = await tokenWith(deps, dev.user, ["api"]);
    expect(errorIn(await token(SERVICE, basic("x", pat)))).toEqual([404, "UNAVAILABLE"]);
    expect(errorIn(await token(SERVICE, basic("x", "wrong")))).toEqual([401, "UNAUTHORIZED"]);
    provideDeps(deps);
  });
});

describe("the certificate of the registry tokens", () => {
  it("the certificate of the registry tokens stays the same until it is renewed, and the private key of the certificate is stored encrypted", async () => {
    const certificates = await Promise.all(Array.from({ length: 5 }, () => registryCertificate(deps)));
    expect(new Set(certificates)).toEqual(new Set([certificate]));
    const parsed = new X509Certificate(certificate);
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.subject).toBe("CN=Gatehouse container registry");
    expect(parsed.issuer).toBe(parsed.subject);
    expect(new Date(parsed.validFrom) < deps.clock()).toBe(true);
    expect(new Date(parsed.validTo).getUTCFullYear()).toBe(2056);
    const rows = await deps.db.registryKey.findMany();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("PRIVATE KEY");
    const renewed = await registryCertificate(deps, true);
    expect(renewed).not.toBe(certificate);
    expect(await registryCertificate(deps)).toBe(renewed);
    expect(accessIn(await token(queryFor("repository:team/inner/open:pull")), renewed)).toHaveLength(1);
  });
});
