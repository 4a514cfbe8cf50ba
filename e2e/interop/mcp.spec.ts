import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import type { Page } from "@playwright/test";
import { conformance } from "../../src/testing/conformance.ts";
import { type Instance, startInstance } from "../instance.ts";
import type { LoopbackServer } from "../loopback.ts";
import { type ClientSite, openClientSite } from "../oauth/client-site.ts";
import { register, signIn } from "../oauth/fixtures.ts";
import { createCertificate, listenWithTls } from "../tls-server.ts";
import { expect, test } from "./fixtures.ts";
import { type Agent, createAgent, type Identity } from "./mcp-agent.ts";

let instance: Instance;
let site: ClientSite;
let documents: LoopbackServer;
let folder: string;

test.beforeAll(async ({ database }) => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-mcp-"));
  const certificate = await createCertificate();
  // The library accepts only `https` URLs of metadata documents, so the instance must trust the certificate
  // of the server that sends the document.
  const trusted = join(folder, "trusted.pem");
  await writeFile(trusted, certificate.cert);
  site = await openClientSite();
  documents = await listenWithTls(certificate, (request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        client_id: `${documents.origin}${request.url}`,
        client_name: "Acme Agent",
        redirect_uris: [site.redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      }),
    );
  });
  instance = await startInstance({ database, env: { NODE_EXTRA_CA_CERTS: trusted } });
  const prepared = await Promise.all([
    instance.cli("setting", "set", "dynamic_client_registration", "mcp"),
    instance.cli("project", "create", "--path", "root/shop", "--owner", "root"),
  ]);
  expect(prepared).toMatchObject([{ code: 0 }, { code: 0 }]);
});

test.afterAll(async () => {
  await instance.stop();
  await Promise.all([documents.close(), site.close(), rm(folder, { recursive: true })]);
});

const newAgent = (identity: Identity): Agent =>
  createAgent(`${instance.baseUrl}/api/v4/mcp`, site.redirectUri, identity);

/** Opens the authorization URL of the agent in a browser without a session, and signs in. */
async function openConsent(page: Page, agent: Agent): Promise<void> {
  const url = agent.authorizationUrl();
  expect(url.origin + url.pathname).toBe(`${instance.baseUrl}/oauth/authorize`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: agent.clientId(),
    scope: "mcp",
    resource: `${instance.baseUrl}/api/v4/mcp`,
    code_challenge_method: "S256",
  });
  await page.goto(url.href);
  await signIn(page, instance);
  await expect(page.getByRole("button", { name: "Allow" })).toBeVisible();
}

/**
 * Allows the authorization request, calls a tool, and calls a tool again after the access token has become
 * invalid.
 */
async function allowAndCall(page: Page, agent: Agent): Promise<void> {
  site.received();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page).toHaveTitle("The client");
  const [callback] = site.received();
  if (callback === undefined) throw new Error("Nothing arrived at the client.");
  await agent.finish(callback.url);
  expect(agent.tokens()).toMatchObject({ scope: "mcp", refresh_token: expect.any(String) });
  expect(await agent.callTool("list_projects")).toContain("root/shop");
  const issued = agent.tokens()?.access_token ?? "";
  const api = await fetch(`${instance.baseUrl}/api/v4/user`, {
    headers: { authorization: `Bearer ${issued}` },
  });
  expect(api.status).toBe(401);
  agent.loseAccessToken();
  expect(await agent.callTool("get_project", { project: "root/shop" })).toContain("root/shop");
  expect(agent.tokens()?.access_token).not.toBe(issued);
}

test(
  conformance(
    "CD-01",
    "MC-01",
    "RI-01",
    "RI-02",
    "RI-04",
    "the client of the MCP library calls a tool after authorization with a client metadata document",
  ),
  async ({ page }) => {
    const url = `${documents.origin}/agent.json`;
    const agent = newAgent({ kind: "document", url });
    await expect(agent.callTool("list_projects")).rejects.toThrow(UnauthorizedError);
    expect(agent.clientId()).toBe(url);
    await openConsent(page, agent);
    await expect(page.getByRole("main")).toContainText("not registered here");
    await expect(page.getByRole("main")).toContainText(new URL(url).host);
    await allowAndCall(page, agent);
  },
);

test(
  conformance(
    "CR-01",
    "MC-01",
    "the client of the MCP library registers dynamically, and calls a tool after authorization",
  ),
  async ({ page }) => {
    const agent = newAgent({ kind: "registration" });
    await expect(agent.callTool("list_projects")).rejects.toThrow(UnauthorizedError);
    await openConsent(page, agent);
    await expect(page.getByRole("main")).toContainText("[Unverified Dynamic Application] Acme Agent");
    await allowAndCall(page, agent);
  },
);

test(
  conformance(
    "PK-01",
    "MC-01",
    "the client of the MCP library calls a tool as a registered public application",
  ),
  async ({ page }) => {
    const registered = ["--name", "Acme Agent", "--owner", "root", "--public", "--scopes", "mcp"];
    const { client_id } = await register(instance, ...registered, "--redirect-uri", site.redirectUri);
    const agent = newAgent({ kind: "static", clientId: client_id });
    await expect(agent.callTool("list_projects")).rejects.toThrow(UnauthorizedError);
    await openConsent(page, agent);
    await allowAndCall(page, agent);
  },
);
