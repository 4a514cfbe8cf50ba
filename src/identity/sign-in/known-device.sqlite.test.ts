import { beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "@/instance/settings/service.ts";
import { CLIENT_IP_HEADER } from "@/kernel/http/ip-address.ts";
import { PASSWORD, reauthenticate, type SignedInUser, signedInUser } from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { addedPasskey, cookieIn, postForm } from "@/testing/second-factor.ts";
import { sessionOf } from "../sessions/service.ts";
import { requestOptions } from "../two-factor/passkey.ts";
import { requestEmailChange } from "../users/email-change.ts";
import { knownDevices } from "./known-device.ts";

const deps = await openTestDeps();
const DEVICE = "gatehouse_device";

let users = 0;
let ann: SignedInUser;
let login: string;

beforeEach(async () => {
  users += 1;
  login = `ann${users}`;
  ann = await signedInUser(deps, login);
  await changeSettings(deps, {
    limit_password_per_login: "3",
    limit_password_per_login_in_all: "5",
    limit_password_per_device: "3",
    limit_password_per_address: "0",
  });
});

const signIn = (password: string, cookie = "", ipAddress = "192.0.2.1") =>
  postForm({ login, password, return_to: "/in" }, cookie, { [CLIENT_IP_HEADER]: ipAddress });
const leadsTo = (response: Response) => new URL(response.headers.get("location") ?? "");
const problem = (response: Response) => leadsTo(response).searchParams.get("problem");
const deviceOf = async () => cookieIn(await signIn(PASSWORD), DEVICE);

async function attack(): Promise<void> {
  for (let guess = 0; guess < 9; guess++) await signIn("a wrong guess", "", `198.51.100.${guess >> 1}`);
  for (let guess = 0; guess < 4; guess++) await signIn("a wrong guess");
}

describe("a browser in which a user has signed in before", () => {
  it(
    conformance(
      "SC-07",
      "a known browser lets the user sign in after unknown browsers have used up the password attempts, even from the same IP address",
    ),
    async () => {
      const device = await deviceOf();
      await attack();
      expect(problem(await signIn(PASSWORD))).toBe("limit");
      expect(problem(await signIn(PASSWORD, "", "203.0.113.5"))).toBe("limit");
      expect(leadsTo(await signIn(PASSWORD, device)).pathname).toBe("/in");
    },
  );

  it(
    conformance(
      "SC-07",
      "a known browser has its own limit of password attempts, which does not affect other browsers",
    ),
    async () => {
      const device = await deviceOf();
      for (let guess = 0; guess < 3; guess++) expect(problem(await signIn("wrong", device))).toBe("wrong");
      expect(problem(await signIn(PASSWORD, device))).toBe("limit");
      expect(problem(await signIn(PASSWORD))).toBeNull();
    },
  );

  it(
    conformance("SC-07", "a browser is a known browser only for the users who have signed in with it"),
    async () => {
      const device = await deviceOf();
      const other = `bob${users}`;
      await signedInUser(deps, other);
      const guess = (password: string) =>
        postForm({ login: other, password }, device, { [CLIENT_IP_HEADER]: "192.0.2.1" });
      for (let count = 0; count < 3; count++) await guess("wrong");
      expect(problem(await guess(PASSWORD))).toBe("limit");
    },
  );

  it(
    conformance("SC-07", "a browser stays a known browser for each of several users who share it"),
    async () => {
      const first = await deviceOf();
      await signedInUser(deps, `bob${users}`);
      const both = cookieIn(await postForm({ login: `bob${users}`, password: PASSWORD }, first), DEVICE);
      const [bob, own] = knownDevices(deps, both);
      expect(own).toEqual(knownDevices(deps, first)[0]);
      expect(own?.userId).toBe(ann.user.id);
      expect(bob?.userId).not.toBe(ann.user.id);
    },
  );

  it(
    conformance(
      "SC-07",
      "a known browser is recognized for a year by a cookie that only this instance can create",
    ),
    async () => {
      const device = await deviceOf();
      const [name, value = ""] = device.split("=");
      expect(knownDevices(deps, `${name}=${value.slice(0, -3)}AAA`)).toEqual([]);
      expect(knownDevices(deps, `${name}=${ann.user.id}:x`)).toEqual([]);
      expect(await sessionOf(deps, `gatehouse_session=${value}`)).toBeNull();
      deps.advance(366 * 86_400);
      expect(knownDevices(deps, device)).toEqual([]);
    },
  );

  it(conformance("SC-07", "a browser also becomes a known browser by a re-authentication"), async () => {
    expect(cookieIn(await reauthenticate(deps, ann), DEVICE)).not.toBe("");
  });
});

describe("a browser in which a user has entered a wrong password", () => {
  it(
    conformance(
      "SC-07",
      "a browser in which a user has entered a wrong password does not become a known browser",
    ),
    async () => {
      expect(cookieIn(await signIn("wrong"), DEVICE)).toBe("");
    },
  );
});

describe("unknown browsers that have used up the password attempts for a user", () => {
  it(
    conformance(
      "SC-07",
      "unknown browsers that have used up the password attempts do not block re-authentication in an active session of the user",
    ),
    async () => {
      await attack();
      expect((await reauthenticate(deps, ann)).headers.get("location")).toContain("/proved");
      const session = await sessionOf(deps, ann.cookie);
      if (session === null) throw new Error("The session is not live.");
      const change = { email: `new${users}@example.com`, currentPassword: PASSWORD, ipAddress: "192.0.2.1" };
      expect(await requestEmailChange(deps, session, change)).toEqual({});
    },
  );

  it(
    conformance(
      "SC-07",
      "unknown browsers that have used up the password attempts do not block sign-in with a passkey",
    ),
    async () => {
      const authenticator = await addedPasskey(deps, ann.user);
      await attack();
      const credential = authenticator.get(await requestOptions(deps, "sign_in", null));
      const response = await postForm({ intent: "passkey", credential, return_to: "/in" });
      expect(leadsTo(response).pathname).toBe("/in");
    },
  );
});
