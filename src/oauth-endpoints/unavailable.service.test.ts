import { GET as configuration } from "@app/.well-known/openid-configuration/route";
import { GET as user } from "@app/api/v4/user/route";
import { GET as authorize } from "@app/oauth/authorize/route";
import { POST as token } from "@app/oauth/token/route";
import { POST as session } from "@app/users/session/route";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { isUnavailable } from "@/kernel/db/errors.ts";
import { openDatabase } from "@/kernel/db/open.ts";
import { provideDeps } from "@/kernel/deps/deps.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";
import { observedPrepared } from "@/testing/prepared.ts";

/** The error of the database driver when the database server is not running: nothing listens on port 1. */
const noServer = await openDatabase({
  provider: "postgresql",
  url: "postgresql://nobody@127.0.0.1:1/none",
}).then(
  () => null,
  (cause: unknown) => cause,
);

const deps = await openTestDeps();

/** Returns prepared statements; the statements with the given names fail. */
const failing = (names: readonly string[], cause: unknown) =>
  observedPrepared(deps.prepared, (name) => {
    if (names.includes(name)) throw cause;
  });

const withoutDatabase = {
  ...deps,
  reads: failing(["shown_application"], noServer),
  prepared: failing(["bearer", "client", "flags"], noServer),
};
provideDeps(withoutDatabase);
afterEach(() => provideDeps(withoutDatabase));
afterAll(() => provideDeps(deps));

describe("an unavailable database", () => {
  it("the server recognizes an unavailable database by wrapped driver errors, and by no other errors", () => {
    expect(isUnavailable(noServer)).toBe(true);
    expect(isUnavailable(new Error("outer", { cause: new Error("inner", { cause: noServer }) }))).toBe(true);
    for (const other of [null, "ECONNREFUSED", new Error("wrong"), { code: "P2002" }])
      expect(isUnavailable(other)).toBe(false);
  });

  it(
    conformance("XC-18", "an unavailable database makes the API respond with 503 and Retry-After"),
    async () => {
      const response = await user(
        new Request("http://localhost:3000/api/v4/user", { headers: { authorization: "Bearer ghat_x" } }),
      );
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("5");
      expect(await response.json()).toEqual({ message: "503 Service Unavailable" });
    },
  );

  it(
    conformance(
      "XC-04",
      "XC-18",
      "an unavailable database makes the token endpoint respond with temporarily_unavailable, without database details",
    ),
    async () => {
      const form = {
        grant_type: "authorization_code",
        client_id: "x",
        code: "y",
        redirect_uri: "https://z.example/",
      };
      const response = await token(
        new Request("http://localhost:3000/oauth/token", { method: "POST", body: new URLSearchParams(form) }),
      );
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("5");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toEqual({
        error: "temporarily_unavailable",
        error_description: "The service is not available. Try again later.",
      });
    },
  );

  it(
    conformance(
      "XC-18",
      "if the database is unavailable, the error response of the discovery document is not cacheable",
    ),
    async () => {
      const response = await configuration(new Request("http://localhost:3000"));
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("5");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toMatchObject({ error: "temporarily_unavailable" });
    },
  );
});

describe("an unexpected error", () => {
  const ORIGIN = "http://localhost:3000";
  const unexpected = new Error("no such column: ghat_abcdefghijkl");
  const breakAll = () =>
    provideDeps({
      ...deps,
      reads: failing(["shown_application"], unexpected),
      prepared: failing(["client", "flags", "settings"], unexpected),
    });
  const noted = (event: string) =>
    deps.logged.some((line) => line.event === event && line["reason"] === "no such column: [redacted]");

  it(
    conformance("XC-04", "each endpoint below /oauth handles and logs an unexpected error in the same way"),
    async () => {
      breakAll();
      const response = await configuration(new Request("http://localhost:3000"));
      expect([response.status, await response.json()]).toEqual([
        500,
        { error: "server_error", error_description: expect.stringMatching(/^The request could not/) },
      ]);
      expect(noted("oauth.failed")).toBe(true);
    },
  );

  it(conformance("XC-04", "after an unexpected error, a browser receives an error page"), async () => {
    breakAll();
    const query = "client_id=x&redirect_uri=https%3A%2F%2Fz.example%2F&response_type=code";
    const response = await authorize(new Request(`${ORIGIN}/oauth/authorize?${query}`));
    expect(response.status).toBe(500);
    const html = await response.text();
    expect(html).toContain("An unexpected error occurred");
    expect(html).not.toContain("no such column");
  });

  it(
    conformance("XC-04", "after an unexpected error during the sign-in, the sign-in page shows a message"),
    async () => {
      breakAll();
      const body = new URLSearchParams({ login: "ann", password: "x" });
      const headers = { origin: ORIGIN };
      const response = await session(
        new Request(`${ORIGIN}/users/session`, { method: "POST", body, headers }),
      );
      expect([response.status, await response.text()]).toEqual([
        500,
        expect.stringMatching(/^An unexpected error occurred/),
      ]);
      expect(noted("sign_in.errored")).toBe(true);
    },
  );
});
