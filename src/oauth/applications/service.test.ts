import { beforeAll, describe, expect, it } from "vitest";
import type { User } from "@/access/principal.ts";
import { writeLastUses } from "@/instance/last-use/service.ts";
import { readConfig } from "@/kernel/config/config.ts";
import { type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { setTrusted } from "./administration.ts";
import { addSecret, removeSecret, secretsOf } from "./client-secret.ts";
import { changeOptions } from "./instance-application.ts";
import { listOwn } from "./own-list.ts";
import type { ApplicationDraft } from "./rules.ts";
import * as applications from "./service.ts";

const deps = await openTestDeps();
let ann: SignedInUser;
let bob: SignedInUser;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  bob = await signedInUser(deps, "bob");
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

describe("registering an application", () => {
  it(
    conformance(
      "AP-01",
      "XC-16",
      "XC-17",
      "a new application has an unguessable ID, and a secret that is shown once",
    ),
    async () => {
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
        authMethod: null,
        requiresPushedRequests: false,
        requiresDpop: false,
        owner: { kind: "user", id: ann.user.id, path: "ann", name: "ann" },
        maintainer: null,
        tokens: { accessTokenFormat: "opaque", idTokenAlgorithm: "RS256" },
        clientCredentialsScopes: [],
        backchannelLogout: { uri: null, sessionRequired: false },
        resourceServer: false,
        createdAt: deps.clock(),
        lastUsedAt: null,
        blockedAt: null,
        ownerBlocked: false,
        registered: true,
        logo: null,
      });
      expect(secret).toMatch(/^ghcs_/);
      expect(await authenticates(application.uid, secret)).toBe(true);
      const later = await applications.findOwn(deps, ann.user, application.id);
      expect(later).toEqual({ ...application, right: "own", lastUsedAt: deps.clock() });
      expect(JSON.stringify(await listOwn(deps, { kind: "manager", id: ann.user.id }))).not.toContain(secret);
    },
  );

  it(conformance("AP-01", "the registration creates no secret for a public application"), async () => {
    const { application, secret } = await registered({ confidential: false });
    expect(secret).toBeNull();
    expect(await authenticates(application.uid, null)).toBe(true);
    expect(await authenticates(application.uid, "guess")).toBe(false);
  });

  it(
    conformance("RU-04", "the registration stores no application when a redirect URI is invalid"),
    async () => {
      const before = await deps.db.application.count();
      const redirectUris = "https://app.example/cb\njavascript:alert(1)";
      const outcome = await applications.register(deps, ann.user, { ...DRAFT, redirectUris });
      expect(outcome).toEqual({ problems: { redirectUris: [expect.stringContaining("Line 2")] } });
      expect(await deps.db.application.count()).toBe(before);
    },
  );

  it(
    conformance(
      "RU-05",
      "an instance that is served over http allows http redirect URIs, and an instance that is served over https refuses them",
    ),
    async () => {
      const draft = { ...DRAFT, redirectUris: "http://app.example/cb" };
      expect(await applications.register(deps, ann.user, draft)).toHaveProperty("application");
      const production = { ...deps, config: readConfig({ BASE_URL: "https://id.example.com" }) };
      expect(await applications.register(production, ann.user, draft)).toHaveProperty("problems");
    },
  );

  it(
    conformance(
      "SC-32",
      "after the instance has moved to https, an application keeps its http redirect URI, and its other values can be changed",
    ),
    async () => {
      const chief = await signedInUser(deps, "chief");
      await deps.db.user.update({ where: { id: chief.user.id }, data: { admin: true } });
      const draft = { ...DRAFT, redirectUris: "http://app.example/cb" };
      const outcome = await applications.register(deps, chief.user, draft);
      if ("problems" in outcome) throw new Error(JSON.stringify(outcome.problems));
      const { id } = outcome.application;
      const production = { ...deps, config: readConfig({ BASE_URL: "https://id.example.com" }) };
      const add = (uri: string) => applications.addRedirectUri(production, chief.user, id, uri);
      expect(await add("https://app.example/cb")).toBe(true);
      expect(await add("http://app.example/other")).toBe(false);
      expect(
        await changeOptions(production, chief.user, id, () => ({ scopes: ["read_user"] })),
      ).toMatchObject({
        scopes: ["read_user"],
      });
      expect((await applications.findOwn(deps, chief.user, id))?.redirectUris).toEqual([
        "http://app.example/cb",
        "https://app.example/cb",
      ]);
    },
  );

  it(
    conformance(
      "AP-05",
      "the registration stores an application name with HTML and letters of every script without changes",
    ),
    async () => {
      const name = `<b onclick="x">'Ünïcödé' 应用 😀`;
      const { application } = await registered({ name });
      expect((await applications.findOwn(deps, ann.user, application.id))?.name).toBe(name);
    },
  );
});

describe("an application of another user", () => {
  it(
    conformance(
      "AP-03",
      "AT-43",
      "a user cannot read, change or remove the application of another user, nor add a secret to it",
    ),
    async () => {
      const { application, secret } = await registered();
      const { id, uid } = application;
      expect(await applications.findOwn(deps, bob.user, id)).toBeNull();
      expect(
        (await listOwn(deps, { kind: "manager", id: bob.user.id })).rows.map((application) => application.id),
      ).not.toContain(id);
      expect(await applications.change(deps, bob.user, id, { ...DRAFT, name: "Taken" })).toBeNull();
      expect(await addSecret(deps, bob.user, id)).toBe("absent");
      const [hers] = await secretsOf(deps, ann.user, id);
      expect(await secretsOf(deps, bob.user, id)).toEqual([]);
      expect(await removeSecret(deps, bob.user, id, hers?.id ?? 0)).toBe("absent");
      expect(await applications.remove(deps, bob.user, id)).toBeNull();
      expect(await applications.findByUid(deps, uid)).toEqual(application);
      expect(await secretsOf(deps, ann.user, id)).toHaveLength(1);
      expect(await authenticates(uid, secret)).toBe(true);
    },
  );

  it(
    conformance(
      "AP-03",
      "AT-50",
      "the response for the application of another user is the same as for an application that does not exist",
    ),
    async () => {
      expect(await applications.findOwn(deps, bob.user, 2_000_000_000)).toBeNull();
      expect(await applications.change(deps, bob.user, 2_000_000_000, DRAFT)).toBeNull();
      expect(await addSecret(deps, bob.user, 2_000_000_000)).toBe("absent");
      expect(await applications.remove(deps, bob.user, 2_000_000_000)).toBeNull();
    },
  );
});

describe("changing an application", () => {
  it(
    conformance("AP-01", "AT-42", "a changed application keeps its ID, its secret and its owner"),
    async () => {
      const { application, secret } = await registered();
      const changes = { name: "Renamed", redirectUris: "https://app.example/2", scopes: ["profile"] };
      const outcome = await applications.change(deps, ann.user, application.id, { ...DRAFT, ...changes });
      const expected = { ...application, ...changes, redirectUris: ["https://app.example/2"] };
      expect(outcome).toEqual({ application: expected, secret: null });
      expect(await applications.findByUid(deps, application.uid)).toEqual(expected);
      expect(await authenticates(application.uid, secret)).toBe(true);
    },
  );

  it("an application that becomes public loses its secret, and gets a new secret when it becomes confidential again", async () => {
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

  it("a change of an application is refused completely if one of its fields is invalid", async () => {
    const { application } = await registered();
    const outcome = await applications.change(deps, ann.user, application.id, { ...DRAFT, name: "" });
    expect(outcome).toEqual({ problems: { name: [expect.any(String)] } });
    expect(await applications.findByUid(deps, application.uid)).toEqual(application);
  });
});

describe("a second secret", () => {
  const added = async (id: number): Promise<string> => {
    const outcome = await addSecret(deps, ann.user, id);
    if (typeof outcome === "string") throw new Error(outcome);
    return outcome.secret;
  };

  it(
    conformance(
      "TK-22",
      "AP-01",
      "a second secret works in addition to the first secret, and still works after the removal of the first secret",
    ),
    async () => {
      const { application, secret } = await registered();
      const { id, uid } = application;
      const second = await added(id);
      expect(second).toMatch(/^ghcs_/);
      expect(await authenticates(uid, secret)).toBe(true);
      expect(await authenticates(uid, second)).toBe(true);
      const [first] = await secretsOf(deps, ann.user, id);
      expect(await removeSecret(deps, ann.user, id, first?.id ?? 0)).toBe("removed");
      expect(await authenticates(uid, secret)).toBe(false);
      expect(await authenticates(uid, second)).toBe(true);
    },
  );

  it("the list of secrets shows only the last four characters of each secret", async () => {
    const { application, secret } = await registered();
    const secrets = await secretsOf(deps, ann.user, application.id);
    expect(secrets).toEqual([
      { id: expect.any(Number), ending: secret?.slice(-4), createdAt: deps.clock(), lastUsedAt: null },
    ]);
  });

  it("an application cannot get a third secret, even by simultaneous requests", async () => {
    const { application } = await registered();
    const additions = Array.from({ length: 6 }, () => addSecret(deps, ann.user, application.id));
    const outcomes = await Promise.all(additions);
    expect(outcomes.filter((outcome) => outcome === "full")).toHaveLength(5);
    expect(await secretsOf(deps, ann.user, application.id)).toHaveLength(2);
  });

  it("simultaneous requests cannot remove both secrets of an application", async () => {
    const { application } = await registered();
    await added(application.id);
    const secrets = await secretsOf(deps, ann.user, application.id);
    const outcomes = await Promise.all(
      secrets.map(({ id }) => removeSecret(deps, ann.user, application.id, id)),
    );
    expect(outcomes.toSorted()).toEqual(["last", "removed"]);
    expect(await secretsOf(deps, ann.user, application.id)).toHaveLength(1);
  });

  it("no secret can be added to a public application", async () => {
    const { application } = await registered({ confidential: false });
    expect(await addSecret(deps, ann.user, application.id)).toBe("absent");
    expect(await authenticates(application.uid, null)).toBe(true);
  });
});

describe("the last use of a secret", () => {
  it("the time of the last use is stored for a secret and its application at most every five minutes", async () => {
    const { application, secret } = await registered();
    const { id, uid } = application;
    await addSecret(deps, ann.user, id);
    const used = async () => {
      await writeLastUses(deps);
      return (await secretsOf(deps, ann.user, id)).map(({ lastUsedAt }) => lastUsedAt);
    };
    await authenticates(uid, "wrong");
    await authenticates(uid, secret);
    const first = deps.clock();
    expect(await used()).toEqual([first, null]);
    deps.advance(299);
    await authenticates(uid, secret);
    deps.advance(1);
    expect(await used()).toEqual([first, null]);
    await authenticates(uid, secret);
    expect(await used()).toEqual([deps.clock(), null]);
    expect(await applications.findOwn(deps, ann.user, id)).toMatchObject({ lastUsedAt: deps.clock() });
  });
});

describe("the list of a user's applications", () => {
  it("the list of a user's applications has pages, several orders, and a search by name and Application ID", async () => {
    const cat = await signedInUser(deps, "cat");
    for (let number = 1; number <= 60; number++) await registered({ name: `App ${number}` }, cat.user);
    const names = async (query: Parameters<typeof listOwn>[2]) =>
      (await listOwn(deps, { kind: "manager", id: cat.user.id }, query)).rows.map(({ name }) => name);
    const numbers = (from: number, to: number) =>
      Array.from({ length: Math.abs(from - to) + 1 }, (_, at) => `App ${from + Math.sign(to - from) * at}`);
    expect(await names({})).toEqual(numbers(60, 36));
    expect(await names({ page: 3 })).toEqual(numbers(10, 1));
    expect(await names({ page: 4 })).toEqual([]);
    expect(await names({ sort: "name" })).toEqual(numbers(1, 25));
    const [first] = (
      await listOwn(deps, { kind: "manager", id: cat.user.id }, { search: "app 1", sort: "name" })
    ).rows;
    await deps.db.application.update({
      where: { id: first?.id ?? 0 },
      data: { lastUsedAt: new Date(0), name: "100% ready" },
    });
    expect((await names({ sort: "last_use" }))[0]).toBe("100% ready");
    expect(await names({ search: "0%" })).toEqual(["100% ready"]);
    expect(await names({ search: first?.uid ?? "" })).toEqual(["100% ready"]);
    expect(
      await listOwn(deps, { kind: "manager", id: cat.user.id }, { search: "APP 2", page: 1 }),
    ).toMatchObject({ total: 11 });
  });
});

describe("the audit log of applications", () => {
  it("the audit log contains each change of an application and the user who made the change, but no secret", async () => {
    const dora = await signedInUser(deps, "dora");
    const { application, secret } = await registered({}, dora.user);
    const { id } = application;
    await applications.change(deps, dora.user, id, { ...DRAFT, name: "Other" });
    const added = await addSecret(deps, dora.user, id);
    const [old] = await secretsOf(deps, dora.user, id);
    await removeSecret(deps, dora.user, id, old?.id ?? 0);
    await applications.remove(deps, dora.user, id);
    const events = await deps.db.auditEvent.findMany({
      where: { applicationId: id },
      orderBy: { id: "asc" },
    });
    expect(events.map(({ name }) => name)).toEqual([
      "application.registered",
      "application.changed",
      "application.secret_added",
      "application.secret_removed",
      "application.removed",
    ]);
    expect(new Set(events.map(({ userId }) => userId))).toEqual(new Set([dora.user.id]));
    for (const hidden of [secret, typeof added === "object" ? added.secret : null])
      expect(JSON.stringify(events)).not.toContain(hidden);
  });
});

describe("removing an application", () => {
  it(conformance("TK-21", "the deletion of an application also deletes all of its data"), async () => {
    const { application, secret } = await registered();
    expect(await applications.remove(deps, ann.user, application.id)).toMatchObject({ name: "Client" });
    expect(await applications.findByUid(deps, application.uid)).toBeNull();
    expect(await authenticates(application.uid, secret)).toBe(false);
    expect(await deps.db.applicationSecret.count({ where: { applicationId: application.id } })).toBe(0);
    expect(await applications.remove(deps, ann.user, application.id)).toBeNull();
  });
});

describe("the trust of an administrator in an application", () => {
  const trusted = async (owner: User) => {
    const { application } = await registered({ scopes: ["read_user"] }, owner);
    await setTrusted(deps, bob.user, application.id, true);
    return application.id;
  };
  const draft = { ...DRAFT, scopes: ["read_user"] };
  const isTrusted = async (id: number) => (await applications.findOwn(deps, ann.user, id))?.trusted;

  it("an application stays trusted if the owner only renames it or removes redirect URIs", async () => {
    const id = await trusted(ann.user);
    await applications.change(deps, ann.user, id, {
      ...draft,
      name: "Another",
      redirectUris: "com.example.app:/cb",
    });
    expect(await isTrusted(id)).toBe(true);
  });

  it.each([
    ["requests more scopes", { ...draft, scopes: ["read_user", "api"] }],
    ["has another redirect URI", { ...draft, redirectUris: "https://evil.example/cb" }],
  ])("an application is no longer trusted when its owner changes it so that it %s", async (_name, wider) => {
    const id = await trusted(ann.user);
    const outcome = await applications.change(deps, ann.user, id, wider);
    expect(outcome).toMatchObject({ application: { trusted: false } });
    expect(await isTrusted(id)).toBe(false);
  });

  it("an application is no longer trusted when its owner adds a redirect URI on the error page of a refused request", async () => {
    const id = await trusted(ann.user);
    expect(await applications.addRedirectUri(deps, ann.user, id, "https://evil.example/cb")).toBe(true);
    expect(await isTrusted(id)).toBe(false);
  });
});
