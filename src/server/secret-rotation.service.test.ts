import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/error-tracking/settings/service.ts";
import { startPending } from "@/identity/provider-sign-in/pending.ts";
import { clientSecretOf, createProvider, findProvider } from "@/identity/providers/service.ts";
import { heldSecret, holdSecret } from "@/identity/sessions/held-form.ts";
import {
  openSessionFor,
  type Session,
  sessionCsrfToken,
  sessionCsrfTokenMatches,
  sessionOf,
} from "@/identity/sessions/service.ts";
import { provePasskey, requestOptions } from "@/identity/two-factor/passkey.ts";
import * as audit from "@/instance/audit/service.ts";
import { verifyChain } from "@/instance/audit/verification.ts";
import { contentOf, sendMail } from "@/instance/mail/service.ts";
import { countSealed } from "@/instance/secret-rotation/sealed-column.ts";
import { openRotationIn, readSecretState } from "@/instance/secret-rotation/service.ts";
import type { Config } from "@/kernel/config/config.ts";
import { deriveKeys } from "@/kernel/crypto/keys.ts";
import { openSealedToken, sealToken } from "@/kernel/crypto/sealed-token.ts";
import { openValue } from "@/kernel/crypto/sealed-value.ts";
import { type Deps, provideDeps } from "@/kernel/deps/deps.ts";
import { resetProcessWide } from "@/kernel/process/process-wide.ts";
import { openSecret } from "@/oauth/applications/new-secret.ts";
import { publishedKeys, signJwt } from "@/oauth/signing-keys/service.ts";
import { registryCertificate, signForRegistry } from "@/registries/container-registry/registry-key.ts";
import { apiUser } from "@/testing/api.ts";
import { registeredClient } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { temporaryFolder } from "@/testing/folder.ts";
import { PROVIDER_SETTINGS } from "@/testing/identity-provider.ts";
import { projectOf } from "@/testing/projects.ts";
import { addedPasskey, enrolledApp } from "@/testing/second-factor.ts";
import { createHook, readSecrets } from "@/webhooks/hooks/service.ts";
import { followOnce } from "./secret-follower.ts";
import { RotationRefused, retirePreviousSecret, rotateSecret } from "./secret-rotation.ts";

const FIRST = "the first secret of this instance, which leaks";
const SECOND = "the second secret of this instance, which is new";

const deps = await openTestDeps();
await deps.db.instance.create({ data: { id: 1, secretCheck: "", createdAt: deps.clock() } });

/** A process of the instance, with its own keys. */
const processOf = (config: Partial<Config>): Deps => ({
  ...deps,
  config: { ...deps.config, ...config },
  keys: deriveKeys(FIRST),
});

/** The columns that have a value only while a rotation is open. */
const ONLY_DURING_ROTATION: ReadonlySet<string> = new Set([
  "SecretRotation.sealedSessionKey",
  "SecretRotation.sealedAuditKey",
]);

const PROVIDER = {
  ...PROVIDER_SETTINGS,
  name: "corp",
  issuer: "https://corp.example",
  clientId: "gatehouse",
  enabled: true,
};

const ofFile = (): Deps => processOf({ secret: null, previousSecret: null, dataDir: folder });
const fileContent = (name: string): string => readFileSync(join(folder, name), "utf8").trim();
async function notNull<Value>(value: Promise<Value | null>): Promise<Value> {
  const awaited = await value;
  if (awaited === null) throw new Error("The value is missing.");
  return awaited;
}

const state = async () => openRotationIn(await readSecretState(deps.db));

let folder: string;
let users = 0;
let ann: Awaited<ReturnType<typeof apiUser>>;
let session: Session;
/** The session cookie of the user ann, encrypted with the first instance secret. */
let cookie: string;
/** A server that notices each change in the state of the secret rotation. */
let server: Deps;
const options = () => ({ settle: () => followOnce(server), report: () => undefined, keepPrevious: false });

beforeEach(async () => {
  users += 1;
  folder = temporaryFolder();
  writeFileSync(join(folder, "secret"), `${FIRST}\n`, { mode: 0o600 });
  await deps.db.secretRotation.deleteMany();
  await deps.db.auditEvent.deleteMany();
  await deps.db.auditChain.deleteMany();
  await deps.db.signingKey.deleteMany();
  await deps.db.registryKey.deleteMany();
  await deps.db.instance.updateMany({ data: { secretCheck: deriveKeys(FIRST).check } });
  for (const model of [
    "totpSecret",
    "heldForm",
    "mailMessage",
    "errorTrackingSetting",
    "webhook",
    "identityProvider",
    "providerSignIn",
    "applicationSecret",
  ] as const)
    await (deps.db[model] as { deleteMany: () => Promise<unknown> }).deleteMany();
  server = ofFile();
  ann = await apiUser(server, `ann${users}`);
  const opened = await openSessionFor(server, ann.user, { ipAddress: "::1", userAgent: null }, ["password"]);
  cookie = opened.cookie.split(";")[0] ?? "";
  session = await notNull(sessionOf(server, cookie));
  forgetKeys();
});

/** Clears the cached signing keys, so that this process decrypts the keys again. */
function forgetKeys(): void {
  resetProcessWide();
  provideDeps(server);
}

/** Records an audit event in a process. */
const recordEvent = (process: Deps): Promise<void> =>
  process.transaction((within) => audit.record(within, "keys.rotated", { kid: "kid" }, {}));

/**
 * Stores a value in every encrypted column.
 * @returns a function that fails if `process` cannot decrypt one of the values.
 */
async function sealEverything(): Promise<(process: Deps) => Promise<void>> {
  await enrolledApp(server, ann.user);
  await signJwt(server, {});
  await registryCertificate(server);
  await holdSecret(server, session, "/page", "held");
  const mail = { kind: "password_reset", to: "ann@example.com", userId: ann.user.id, subject: "s" } as const;
  const content = { recipientName: "Ann", paragraphs: ["text"], closing: [] };
  const mailId = await sendMail(server, { ...mail, content });
  const project = await projectOf(server, ann.user, "project");
  const remote = {
    apiUrl: "https://errors.example.com/api/0/projects/o/p",
    projectName: "p",
    token: "external",
  };
  await changeSettings(server, project, { active: true, integrated: false, remote }, ann.user);
  const draft = { name: "", description: "", triggers: ["push_events"], branchFilter: "" } as const;
  const hook = { ...draft, url: "https://example.com/hook", token: "shared-token" };
  const created = await createHook(server, { kind: "project", id: project.id }, hook, ann.user);
  if (typeof created === "string" || "problems" in created) throw new Error(JSON.stringify(created));
  await createProvider(server, ann.user, PROVIDER, "the secret of the provider");
  const provider = await notNull(findProvider(server, PROVIDER.name));
  const request = { purpose: "sign_in", returnTo: "/", repeat: false, recent: false, session: null } as const;
  await startPending(server, null, provider, request);
  const authentication = { method: "client_secret_jwt", jwks: "", jwksUri: "" } as const;
  const client = await registeredClient(server, ann.user, { authentication });
  for (const { column, list } of deps.hooks.sealedColumns)
    if (!ONLY_DURING_ROTATION.has(column)) expect(await list(deps.db, 0, 1), column).toHaveLength(1);
  return async (process) => {
    forgetKeys();
    expect(await signJwt(process, {})).toMatch(/^ey/);
    expect(await signForRegistry(process, {})).toMatch(/^ey/);
    expect(await heldSecret(process, session, "/page")).toBe("held");
    expect(
      contentOf(process, await deps.db.mailMessage.findUniqueOrThrow({ where: { id: mailId } })),
    ).toEqual(content);
    const { sealedToken } = await deps.db.errorTrackingSetting.findFirstOrThrow();
    expect(openValue(process.keys, `error_tracking:${project.id}`, sealedToken ?? "")).toBe("external");
    expect(await readSecrets(process, created.webhook.id)).toMatchObject({
      webhook: { url: hook.url },
      token: hook.token,
      signingSecret: created.signingSecret,
    });
    expect(await clientSecretOf(process, provider)).toBe("the secret of the provider");
    const pending = await deps.db.providerSignIn.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(openValue(process.keys, `provider_sign_in ${pending.stateDigest}`, pending.sealed)).toContain(
      PROVIDER.issuer,
    );
    const { sealed } = await deps.db.applicationSecret.findFirstOrThrow({
      where: { applicationId: client.application.id },
    });
    expect(openSecret(process, client.application, sealed ?? "")).toBe(client.secret);
    const { sealedSecret } = await deps.db.totpSecret.findFirstOrThrow();
    expect(openValue(process.keys, `totp ${ann.user.id}`, sealedSecret)).not.toBeNull();
  };
}

describe("rotation of the instance secret", () => {
  it(
    conformance(
      "SC-70",
      "a rotation encrypts the values of every column with the new instance secret while a server runs, and the previous secret then decrypts none of them",
    ),
    async () => {
      const expectReadable = await sealEverything();
      const jwks = await publishedKeys(server);
      const result = await rotateSecret(ofFile(), options());
      expect(result).toEqual({ resealed: expect.any(Number), unreadable: 0, retired: true });
      expect(result.resealed).toBeGreaterThanOrEqual(7);
      await followOnce(server);
      await expectReadable(server);
      expect(await publishedKeys(server)).toEqual(jwks);
      expect(readdirSync(folder).filter((name) => name.startsWith("secret"))).toEqual(["secret"]);
      expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
      expect(fileContent("secret")).not.toBe(FIRST);
      const leaked = { ...deps, keys: deriveKeys(FIRST) };
      expect(await countSealed(leaked)).toMatchObject({ current: 0, previous: 0 });
      expect(await deps.db.auditEvent.count({ where: { name: "secret.retired" } })).toBeGreaterThan(0);
    },
  );

  it(
    conformance(
      "SC-70",
      "sessions and passkeys stay valid after a rotation of the instance secret; forms and links from before the rotation stay valid until its end",
    ),
    async () => {
      const authenticator = await addedPasskey(server, ann.user);
      // Passkeys of earlier versions have no stored user handle.
      await deps.db.passkey.updateMany({ data: { userHandle: null } });
      const csrf = sessionCsrfToken(server, session, "form");
      const link = sealToken(server, "mail", "text", 3600);
      const accepts = async (process: Deps) => ({
        session: (await sessionOf(process, cookie))?.user.id === ann.user.id,
        csrf: sessionCsrfTokenMatches(process, session, "form", csrf),
        link: openSealedToken(process, "mail", link)?.text === "text",
        passkey:
          typeof (await provePasskey(process, {
            purpose: "p",
            text: authenticator.get(await requestOptions(process, "p", null)),
            user: null,
          })) === "object",
      });
      const all = { session: true, csrf: true, link: true, passkey: true };
      const accepted: object[] = [];
      const settle = async () => {
        accepted.push(await accepts(server));
        await followOnce(server);
        accepted.push(await accepts(server));
      };
      await rotateSecret(ofFile(), { ...options(), settle, keepPrevious: true });
      expect(accepted).toEqual([all, all, all, all]);
      await retirePreviousSecret(ofFile(), options());
      await followOnce(server);
      expect(await accepts(server)).toEqual({ ...all, csrf: false, link: false });
      deps.advance(8 * 86_400);
      await followOnce(server);
      expect(server.keys.previousSessions).toEqual([]);
    },
  );

  it(
    conformance(
      "SC-70",
      "the audit trail stays valid after a rotation of the instance secret, and the previous secret cannot add events to the audit trail",
    ),
    async () => {
      const isIntact = async (process: Deps) => (await verifyChain(process)).isIntact;
      const settle = async () => {
        expect(await isIntact(server)).toBe(true);
        await followOnce(server);
        // Servers notice the change of the secret at different times.
        await recordEvent(server);
        expect(await isIntact(server)).toBe(true);
      };
      for (let rotations = 0; rotations < 2; rotations++) {
        const command = processOf({ secret: null, previousSecret: null, dataDir: folder });
        await followOnce(command);
        await rotateSecret(command, { ...options(), settle });
        await followOnce(server);
        expect(await isIntact(server)).toBe(true);
      }
      await recordEvent({ ...server, keys: deriveKeys(FIRST) });
      expect(await isIntact(server)).toBe(false);
    },
  );

  it(conformance("SC-70", "a rotation of the instance secret continues after any interruption"), async () => {
    const expectReadable = await sealEverything();
    let settled = 0;
    for (const interruptedAt of [1, 2]) {
      settled = 0;
      const settle = async () => {
        settled += 1;
        if (settled === interruptedAt) throw new Error("interrupted");
        await followOnce(server);
      };
      await expect(rotateSecret(ofFile(), { ...options(), settle })).rejects.toThrow("interrupted");
      expect(await state()).toMatchObject({ stage: interruptedAt === 1 ? "announced" : "switched" });
      await followOnce(server);
      await expectReadable(server);
    }
    const next = fileContent("secret.next");
    // The update of one row fails, which interrupts the rotation while values are being encrypted.
    const [first, ...others] = deps.hooks.sealedColumns;
    const failing = { ...others.at(-1), replace: () => Promise.reject(new Error("interrupted")) };
    const sealedColumns = [first, ...others.slice(0, -1), failing] as Deps["hooks"]["sealedColumns"];
    const broken = { ...ofFile(), hooks: { ...deps.hooks, sealedColumns } };
    await expect(rotateSecret(broken, options())).rejects.toThrow("interrupted");
    await expectReadable(server);
    expect(await rotateSecret(ofFile(), options())).toMatchObject({ unreadable: 0, retired: true });
    expect(fileContent("secret")).toBe(next);
    await followOnce(server);
    await expectReadable(server);
    expect(await state()).toBeNull();
  });

  it(
    conformance(
      "SC-70",
      "a rotation of the instance secret changes nothing while a server does not have the new secret",
    ),
    async () => {
      const other = processOf({ secret: SECOND, previousSecret: FIRST });
      server = processOf({ secret: FIRST, previousSecret: null });
      const expectReadable = await sealEverything();
      await expect(rotateSecret(other, options())).rejects.toThrow(/does not have the new secret/);
      expect(await state()).toBeNull();
      await expectReadable(server);
      server = processOf({ secret: SECOND, previousSecret: FIRST });
      expect(
        await rotateSecret(processOf({ secret: SECOND, previousSecret: FIRST }), options()),
      ).toMatchObject({
        retired: true,
      });
      await followOnce(server);
      await expectReadable(server);
      expect(server.keys.previous).toEqual([]);
      expect((await readSecretState(deps.db)).check).toBe(deriveKeys(SECOND).check);
    },
  );

  it("a rotation of the instance secret cannot be started without a new secret in the environment, and a rotation that has not started cannot be finished", async () => {
    const present = processOf({ secret: FIRST, previousSecret: null });
    await expect(rotateSecret(present, options())).rejects.toThrow(RotationRefused);
    await expect(retirePreviousSecret(present, options())).rejects.toThrow(/no rotation is in progress/);
  });
});
