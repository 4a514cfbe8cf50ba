import { GET as getToken } from "@app/jwt/auth/route.ts";
import { expect } from "vitest";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { registryCertificate } from "@/registries/container-registry/registry-key.ts";
import { apiUser } from "@/testing/api.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { groupOf, memberOf, projectOf } from "@/testing/projects.ts";
import { claimsOf, fakeRegistry, type RegistryClaims } from "@/testing/registry.ts";

export const SERVICE = "service=container_registry";

type TokenResponse = Readonly<{ status: number; body: Record<string, unknown> | null; headers: Headers }>;

/**
 * Opens an instance with a container registry, with projects in a group and their users.
 * @returns the registry, the projects, the users, and functions that request registry tokens.
 */
export async function openRegistryInstance() {
  const registry = await fakeRegistry();
  const opened = await openTestDeps();
  const deps = { ...opened, config: { ...opened.config, registry: registry.config } };
  provideDeps(deps);
  const withoutRegistry = { ...opened, config: { ...opened.config, registry: null } };
  const { user: olga, token: olgaToken } = await apiUser(deps, "olga");
  const dev = await apiUser(deps, "dev");
  const stranger = await apiUser(deps, "stranger");
  const root = await apiUser(deps, "root", { admin: true });
  const team = await groupOf(deps, olga, "Team", { visibility: "public" });
  const inner = await groupOf(deps, olga, "inner", { parent: team });
  const shop = await projectOf(deps, olga, "Shop", { group: team });
  const open = await projectOf(deps, olga, "open", { group: inner, visibility: "public" });
  const certificate = await registryCertificate(deps);
  await memberOf(deps, shop, dev.user, "developer");

  const basic = (name: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`,
  });

  async function token(query: string, headers: Record<string, string> = {}): Promise<TokenResponse> {
    const response = await getToken(new Request(`http://localhost:3000/jwt/auth?${query}`, { headers }));
    const text = await response.text();
    expect(response.headers.get("cache-control")).toBe("no-store");
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : JSON.parse(text),
    };
  }

  const queryFor = (...scopes: readonly string[]) =>
    [SERVICE, ...scopes.map((scope) => `scope=${encodeURIComponent(scope)}`)].join("&");

  function claimsIn({ status, body }: TokenResponse, signedBy = certificate): RegistryClaims {
    expect({ status, body }).toMatchObject({ status: 200, body: { token: expect.any(String) } });
    return claimsOf(String(body?.["token"]), signedBy);
  }

  /** Returns the access that a registry token grants, such as `team/shop:pull,push`. */
  const accessIn = (response: TokenResponse, signedBy = certificate): readonly string[] =>
    claimsIn(response, signedBy).access.map(({ name, actions }) => `${name}:${actions.join(",")}`);

  const errorIn = ({ status, body }: TokenResponse) => [
    status,
    JSON.stringify(body).match(/"code":"(\w+)"/)?.[1],
  ];
  return {
    registry,
    deps,
    withoutRegistry,
    olga,
    olgaToken,
    dev,
    stranger,
    root,
    team,
    inner,
    shop,
    open,
    certificate,
    basic,
    token,
    queryFor,
    claimsIn,
    accessIn,
    errorIn,
  };
}
