import { GET as user } from "@app/api/v4/user/route";
import { POST as token } from "@app/oauth/token/route";
import { afterAll, describe, expect, it } from "vitest";
import { isUnavailable } from "@/platform/db/errors.ts";
import { openDatabase } from "@/platform/db/open.ts";
import { provideDeps } from "@/platform/deps.ts";
import { openTestDeps } from "@/testing/deps.ts";

/** What the driver really says when there is no server: nothing listens on port 1. */
const noServer = await openDatabase({
  provider: "postgresql",
  url: "postgresql://nobody@127.0.0.1:1/none",
}).then(
  () => null,
  (cause: unknown) => cause,
);

const deps = await openTestDeps();
const fail = () => Promise.reject(noServer);
provideDeps({
  ...deps,
  db: Object.create(deps.db, { application: { value: { findUnique: fail } } }),
  hot: { ...deps.hot, bearer: fail, client: fail },
});
afterAll(() => provideDeps(deps));

describe("a database that does not answer", () => {
  it("is recognised through whatever wraps the driver's error, and nothing else is", () => {
    expect(isUnavailable(noServer)).toBe(true);
    expect(isUnavailable(new Error("outer", { cause: new Error("inner", { cause: noServer }) }))).toBe(true);
    for (const other of [null, "ECONNREFUSED", new Error("wrong"), { code: "P2002" }])
      expect(isUnavailable(other)).toBe(false);
  });

  it("makes the API answer 503 with a time to try again [XC-18]", async () => {
    const answer = await user(
      new Request("http://localhost:3000/api/v4/user", { headers: { authorization: "Bearer ghat_x" } }),
    );
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await answer.json()).toEqual({ message: "503 Service Unavailable" });
  });

  it("makes the token endpoint answer temporarily_unavailable, without a word of the database [XC-04, XC-18]", async () => {
    const form = {
      grant_type: "authorization_code",
      client_id: "x",
      code: "y",
      redirect_uri: "https://z.example/",
    };
    const answer = await token(
      new Request("http://localhost:3000/oauth/token", { method: "POST", body: new URLSearchParams(form) }),
    );
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({
      error: "temporarily_unavailable",
      error_description: "The service is not available. Try again later.",
    });
  });
});
