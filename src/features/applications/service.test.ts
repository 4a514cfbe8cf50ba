import { beforeAll, describe, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { readConfig } from "@/platform/config.ts";
import { type Person, signedInPerson } from "@/testing/authorization.ts";
import { openTestDeps } from "@/testing/deps.ts";
import type { ApplicationDraft } from "./rules.ts";
import * as applications from "./service.ts";

const deps = await openTestDeps();
let ann: Person;
let bob: Person;

beforeAll(async () => {
  ann = await signedInPerson(deps, "ann");
  bob = await signedInPerson(deps, "bob");
});

const DRAFT: ApplicationDraft = {
  name: "Client",
  redirectUris: "https://app.example/cb\ncom.example.app:/cb",
  scopes: ["read_user", "api"],
  confidential: true,
  requiresPkce: false,
  allowsPassword: true,
};

async function registered(changes: Partial<ApplicationDraft> = {}, owner: User = ann.user) {
  const outcome = await applications.register(deps, owner, { ...DRAFT, ...changes });
  if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}

const authenticates = async (uid: string, secret: string | null): Promise<boolean> =>
  "application" in (await applications.authenticate(deps, uid, secret));

describe("registering", () => {
  it("gives an ID that nobody can guess and a secret, once [AP-01, XC-16, XC-17]", async () => {
    const { application, secret } = await registered();
    expect(application).toEqual({
      id: expect.any(Number),
      uid: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: "Client",
      redirectUris: ["https://app.example/cb", "com.example.app:/cb"],
      scopes: ["read_user", "api"],
      confidential: true,
      trusted: false,
      requiresPkce: false,
      allowsPassword: true,
      owner: { id: ann.user.id, username: "ann", name: "ann" },
      createdAt: deps.clock(),
    });
    expect(secret).toMatch(/^ghcs_/);
    expect(await authenticates(application.uid, secret)).toBe(true);
    const later = await applications.findOwn(deps, ann.user, application.id);
    expect(later).toEqual(application);
    expect(JSON.stringify(await applications.listOwn(deps, ann.user))).not.toContain(secret);
  });

  it("gives a public application no secret [AP-01]", async () => {
    const { application, secret } = await registered({ confidential: false });
    expect(secret).toBeNull();
    expect(await authenticates(application.uid, null)).toBe(true);
    expect(await authenticates(application.uid, "guess")).toBe(false);
  });

  it("writes nothing when a line is wrong [RU-04]", async () => {
    const before = await deps.db.application.count();
    const redirectUris = "https://app.example/cb\njavascript:alert(1)";
    const outcome = await applications.register(deps, ann.user, { ...DRAFT, redirectUris });
    expect(outcome).toEqual({ problems: { redirectUris: [expect.stringContaining("Line 2")] } });
    expect(await deps.db.application.count()).toBe(before);
  });

  it("allows plain http while this instance is served by http, and refuses it under https [RU-05]", async () => {
    const draft = { ...DRAFT, redirectUris: "http://app.example/cb" };
    expect(await applications.register(deps, ann.user, draft)).toHaveProperty("application");
    const production = { ...deps, config: readConfig({ BASE_URL: "https://id.example.com" }) };
    expect(await applications.register(production, ann.user, draft)).toHaveProperty("problems");
  });

  it("keeps a name with HTML and letters of every script as typed [AP-05]", async () => {
    const name = `<b onclick="x">'Ünïcödé' 应用 😀`;
    const { application } = await registered({ name });
    expect((await applications.findOwn(deps, ann.user, application.id))?.name).toBe(name);
  });
});

describe("another person's application", () => {
  it("cannot be seen, changed, given a new secret or removed [AP-03, AT-43]", async () => {
    const { application, secret } = await registered();
    const { id, uid } = application;
    expect(await applications.findOwn(deps, bob.user, id)).toBeNull();
    expect((await applications.listOwn(deps, bob.user)).map((one) => one.id)).not.toContain(id);
    expect(await applications.change(deps, bob.user, id, { ...DRAFT, name: "Taken" })).toBeNull();
    expect(await applications.renewSecret(deps, bob.user, id)).toBeNull();
    expect(await applications.remove(deps, bob.user, id)).toBe(false);
    expect(await applications.findByUid(deps, uid)).toEqual(application);
    expect(await authenticates(uid, secret)).toBe(true);
  });

  it("is like one that does not exist [AP-03, AT-50]", async () => {
    expect(await applications.findOwn(deps, bob.user, 2_000_000_000)).toBeNull();
    expect(await applications.change(deps, bob.user, 2_000_000_000, DRAFT)).toBeNull();
    expect(await applications.renewSecret(deps, bob.user, 2_000_000_000)).toBeNull();
    expect(await applications.remove(deps, bob.user, 2_000_000_000)).toBe(false);
  });
});

describe("changing", () => {
  it("keeps ID, secret and owner [AP-01, AT-42]", async () => {
    const { application, secret } = await registered();
    const changes = { name: "Renamed", redirectUris: "https://app.example/2", scopes: ["profile"] };
    const outcome = await applications.change(deps, ann.user, application.id, { ...DRAFT, ...changes });
    const expected = { ...application, ...changes, redirectUris: ["https://app.example/2"] };
    expect(outcome).toEqual({ application: expected, secret: null });
    expect(await applications.findByUid(deps, application.uid)).toEqual(expected);
    expect(await authenticates(application.uid, secret)).toBe(true);
  });

  it("to public removes the secret, and back gives a new one", async () => {
    const { application, secret } = await registered();
    const { id, uid } = application;
    await applications.change(deps, ann.user, id, { ...DRAFT, confidential: false });
    expect(await authenticates(uid, null)).toBe(true);
    expect(await authenticates(uid, secret)).toBe(false);
    const back = await applications.change(deps, ann.user, id, DRAFT);
    const renewed = back !== null && "secret" in back ? back.secret : null;
    expect(await authenticates(uid, renewed)).toBe(true);
    expect(await authenticates(uid, secret)).toBe(false);
    expect(await authenticates(uid, null)).toBe(false);
  });

  it("is refused whole when anything is wrong", async () => {
    const { application } = await registered();
    const outcome = await applications.change(deps, ann.user, application.id, { ...DRAFT, name: "" });
    expect(outcome).toEqual({ problems: { name: [expect.any(String)] } });
    expect(await applications.findByUid(deps, application.uid)).toEqual(application);
  });
});

describe("a new secret", () => {
  it("takes the place of the old one at once [TK-22, AP-01]", async () => {
    const { application, secret } = await registered();
    const renewed = await applications.renewSecret(deps, ann.user, application.id);
    expect(renewed).toMatch(/^ghcs_/);
    expect(await authenticates(application.uid, renewed)).toBe(true);
    expect(await authenticates(application.uid, secret)).toBe(false);
  });

  it("is not given to a public application", async () => {
    const { application } = await registered({ confidential: false });
    expect(await applications.renewSecret(deps, ann.user, application.id)).toBeNull();
    expect(await authenticates(application.uid, null)).toBe(true);
  });
});

describe("removing", () => {
  it("ends the application and everything that belonged to it [TK-21]", async () => {
    const { application, secret } = await registered();
    expect(await applications.remove(deps, ann.user, application.id)).toBe(true);
    expect(await applications.findByUid(deps, application.uid)).toBeNull();
    expect(await authenticates(application.uid, secret)).toBe(false);
    expect(await deps.db.applicationSecret.count({ where: { applicationId: application.id } })).toBe(0);
    expect(await applications.remove(deps, ann.user, application.id)).toBe(false);
  });
});
