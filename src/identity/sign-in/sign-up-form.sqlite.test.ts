import { beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { ORIGIN, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { cookieIn, postForm, sessionIn } from "@/testing/second-factor.ts";
import { sessionOf } from "../sessions/service.ts";
import { signUpDraft } from "./sign-up-form.ts";

const deps = await openTestDeps();
await signedInUser(deps, "taken");

beforeEach(async () => {
  deps.advance(3_600);
  await changeSettings(deps, { signup_enabled: "true" });
});

let names = 0;
const fields = (changes: Record<string, string> = {}) => ({
  intent: "sign_up",
  username: `new${++names}`,
  name: "New Person",
  email: `new${names}@example.com`,
  password: "long enough",
  return_to: "/oauth/authorize?a=b",
  ...changes,
});
const signUp = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  postForm(fields(changes), "", headers);
const placeOf = (response: Response) => new URL(response.headers.get("location") ?? "");
const draftIn = (response: Response) => signUpDraft(deps, cookieIn(response, "gatehouse_sign_up"));

describe("registration", () => {
  it(
    conformance(
      "SC-11",
      "the registration form creates and signs in a user whose e-mail address is pending, and redirects to the return URL",
    ),
    async () => {
      const response = await signUp({ username: "Nadia", email: "Nadia@Example.com" });
      expect(response.headers.get("location")).toBe(`${ORIGIN}/oauth/authorize?a=b`);
      const session = await sessionOf(deps, sessionIn(response));
      expect(session?.user).toMatchObject({
        username: "Nadia",
        name: "New Person",
        email: expect.stringMatching(/^unconfirmed-[0-9a-f]{24}@users\.noreply\.invalid$/),
        emailVerified: false,
        admin: false,
      });
      const row = await deps.db.user.findUniqueOrThrow({ where: { usernameLower: "nadia" } });
      expect(row).toMatchObject({ pendingEmail: "Nadia@Example.com", pendingEmailAt: deps.clock() });
      const event = await deps.db.auditEvent.findFirst({ where: { name: "user.registered" } });
      expect(event?.userId).toBe(session?.user.id);
    },
  );

  it.each<[string, Record<string, string>]>([
    ["username", { username: "a b" }],
    ["username", { username: "" }],
    ["username", { username: "TAKEN" }],
    ["email", { email: "nobody" }],
    ["password", { password: "short" }],
    ["password", { password: "x".repeat(129) }],
    ["name", { name: "n".repeat(256) }],
  ])(
    "the registration form shows an error at the field %s for the value %j, and keeps the entered values",
    async (field, changes) => {
      const before = await deps.db.user.count();
      const response = await signUp(changes);
      expect(placeOf(response).pathname).toBe("/users/sign_up");
      expect(placeOf(response).searchParams.get("return_to")).toBe("/oauth/authorize?a=b");
      const draft = draftIn(response);
      expect(Object.keys(draft?.problems ?? {})).toEqual([field]);
      expect(draft?.values.email).toBe(changes["email"] ?? `new${names}@example.com`);
      expect(sessionIn(response)).toBe("");
      expect(await deps.db.user.count()).toBe(before);
      const everything = response.headers.get("location") ?? "";
      expect(everything + JSON.stringify(draft)).not.toContain("long enough");
    },
  );

  it(
    conformance(
      "SC-11",
      "SC-16",
      "the registration form sends the same response for an unused e-mail address and for the e-mail address of another user",
    ),
    async () => {
      const free = await signUp();
      const taken = await signUp({ email: "taken@example.com" });
      expect(taken.headers.get("location")).toBe(free.headers.get("location"));
      expect(sessionIn(taken)).not.toBe("");
    },
  );

  it("the registration form ignores a forged cookie that contains entered values and errors", () => {
    for (const forged of ["", "x", Buffer.from('{"values":{},"problems":{}}').toString("base64url")])
      expect(signUpDraft(deps, `gatehouse_sign_up=${forged}`)).toBeNull();
  });

  it("registrations are rate-limited per IP address, and the limit includes successful registrations", async () => {
    for (let count = 0; count < 10; count++)
      expect(placeOf(await signUp()).pathname).toBe("/oauth/authorize");
    const limited = await signUp();
    expect([placeOf(limited).pathname, placeOf(limited).searchParams.get("problem")]).toEqual([
      "/users/sign_up",
      "limit",
    ]);
    expect(placeOf(await signUp({}, { "x-client-address": "192.0.2.9" })).pathname).toBe("/oauth/authorize");
  });

  it("a registration is refused while the instance does not allow registrations", async () => {
    await changeSettings(deps, { signup_enabled: "false" });
    const before = await deps.db.user.count();
    expect(placeOf(await signUp()).pathname).toBe("/users/sign_up");
    expect(await deps.db.user.count()).toBe(before);
  });

  it("a registration from another site is refused", async () => {
    expect((await signUp({}, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  it("a registration never redirects to another site", async () => {
    expect((await signUp({ return_to: "//evil.example" })).headers.get("location")).toBe(`${ORIGIN}/`);
  });
});
