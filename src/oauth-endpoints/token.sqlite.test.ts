import * as route from "@app/oauth/token/route.ts";
import { beforeAll, describe, expect, it } from "vitest";
import {
  authorizationQuery,
  type Client,
  codeFor,
  encoded,
  exchangeOf,
  type Fields,
  postToken,
  refusal,
  registeredClient,
  requestToken,
  type SignedInUser,
  signedInUser,
} from "@/testing/authorization.ts";
import { conformance } from "@/testing/conformance.ts";
import { openTestDeps } from "@/testing/deps.ts";

const deps = await openTestDeps();
let ann: SignedInUser;
let client: Client;

beforeAll(async () => {
  ann = await signedInUser(deps, "ann");
  client = await registeredClient(deps, ann.user);
});

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { "content-type": "application/json" };

/** Returns the form of a valid token request with a new authorization code. */
const freshExchange = async (changes: Fields = {}, by: Client = client): Promise<Fields> =>
  exchangeOf(by, await codeFor(deps, ann, authorizationQuery(by)), changes);

describe("a successful token response", () => {
  it(
    conformance(
      "TK-01",
      "AC-01",
      "XC-02",
      "XC-03",
      "a successful token response has exactly the specified members",
    ),
    async () => {
      const { status, body } = await requestToken(await freshExchange());
      expect(status).toBe(200);
      expect(body).toEqual({
        access_token: expect.any(String),
        token_type: "bearer",
        expires_in: 7200,
        refresh_token: expect.any(String),
        scope: "read_user",
        created_at: Math.floor(deps.clock().getTime() / 1000),
      });
    },
  );

  it(
    conformance("XC-17", "a token response contains new tokens of 256 random bits in URL-safe ASCII"),
    async () => {
      const form = await freshExchange();
      const bodies = [(await requestToken(form)).body, (await requestToken(await freshExchange())).body];
      const values = bodies.flatMap((body) => [String(body["access_token"]), String(body["refresh_token"])]);
      for (const value of [...values, String(form["code"])]) expect(value).toMatch(/^[A-Za-z0-9_-]{43,255}$/);
      expect(new Set(values).size).toBe(4);
    },
  );
});

describe("a token request", () => {
  it(conformance("XC-01", "the token endpoint accepts only POST and preflight requests"), () => {
    expect(Object.keys(route).toSorted()).toEqual(["OPTIONS", "POST"]);
  });

  it.each<[string, Fields, string]>([
    ["without grant_type", { grant_type: undefined }, "invalid_request"],
    ["with an empty grant_type", { grant_type: "" }, "invalid_request"],
    ["for an unknown grant type", { grant_type: "foo" }, "unsupported_grant_type"],
    ["for the implicit grant", { grant_type: "implicit" }, "unsupported_grant_type"],
    [
      "for the client credentials grant from a client that may not use the grant",
      { grant_type: "client_credentials" },
      "unauthorized_client",
    ],
  ])(conformance("TK-02", "TK-03", "a token request %s is refused"), async (_how, changes, error) => {
    const form = await freshExchange();
    expect(await requestToken({ ...form, ...changes })).toMatchObject(refusal(error));
    expect((await requestToken(form)).status).toBe(200);
  });

  it(
    conformance("XC-05", "a token request may have unknown parameters, even repeated unknown parameters"),
    async () => {
      const form = await freshExchange();
      expect((await postToken(`${encoded(form)}&foo=bar&foo=baz&__proto__=x&constructor=y`)).status).toBe(
        200,
      );
    },
  );

  it.each(["client_id", "client_secret", "code", "grant_type", "redirect_uri"])(
    conformance(
      "XC-07",
      "a token request that repeats the parameter %s is refused, even if both values are the same",
    ),
    async (name) => {
      const form = await freshExchange();
      for (const value of [form[name] ?? "", "another", ""])
        expect(await postToken(`${encoded(form)}&${encoded({ [name]: value })}`)).toMatchObject(
          refusal("invalid_request"),
        );
      expect((await requestToken(form)).status).toBe(200);
    },
  );

  it.each(["client_id[x]=1", "code[]=a", "scope[]=read_user", "code[not]="])(
    conformance("XC-08", "AT-40", "a token request with the bracketed parameter %s is refused"),
    async (pair) => {
      expect(await postToken(`${encoded(await freshExchange())}&${pair}`)).toMatchObject(
        refusal("invalid_request"),
      );
    },
  );

  it.each(["%zz", "%", "%ff", "%c3%28", "%ed%a0%80", "a%00b"])(
    conformance("XC-09", "AT-32", "a token request with the invalid encoding %s in any parameter is refused"),
    async (value) => {
      for (const name of ["client_id", "client_secret", "code", "redirect_uri", "code_verifier", "unknown"]) {
        const body = encoded(exchangeOf(client, "code", { [name]: undefined }));
        expect(await postToken(`${body}&${name}=${value}`)).toMatchObject(refusal("invalid_request"));
      }
    },
  );

  it(conformance("XC-09", "a token request whose bytes are not valid UTF-8 is refused"), async () => {
    const body = Buffer.concat([Buffer.from(`${encoded(exchangeOf(client, "x"))}&state=`), Buffer.of(0xff)]);
    expect(await postToken(body)).toMatchObject(refusal("invalid_request"));
  });

  it(
    conformance(
      "XC-10",
      "a token request of up to 64 KiB is accepted, and a larger token request is refused",
    ),
    async () => {
      const form = encoded(await freshExchange());
      const padded = (length: number) => `${form}&padding=${"x".repeat(length - form.length - 9)}`;
      expect(await postToken(padded(65_537))).toMatchObject({
        status: 413,
        body: { error: "invalid_request" },
      });
      expect((await postToken(padded(65_536))).status).toBe(200);
    },
  );

  it(conformance("AT-31", "a token request with 30,000 parameters is refused"), async () => {
    expect(await postToken("a&".repeat(30_000))).toMatchObject(refusal("invalid_request"));
  });

  it.each([
    ["the content type text/plain", { "content-type": "text/plain" }],
    ["no content type", {}],
    [
      "the content type application/x-www-form-urlencoded-not",
      { "content-type": "application/x-www-form-urlencoded-not" },
    ],
  ])(conformance("XC-11", "a token request with %s is refused"), async (_type, headers) => {
    const body = Buffer.from(encoded(await freshExchange()));
    expect(await postToken(body, headers)).toMatchObject(refusal("invalid_request"));
  });

  const multipartOf = (fields: Fields): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value);
    return form;
  };

  it(
    conformance(
      "SC-25",
      "XC-11",
      "a token request may be sent as multipart/form-data, which PHP and curl -F use",
    ),
    async () => {
      expect((await postToken(multipartOf(await freshExchange()), {})).status).toBe(200);
    },
  );

  it.each<[string, (form: FormData) => void]>([
    ["a field twice", (form) => form.append("client_id", client.id)],
    ["a file", (form) => form.set("code", new File(["x"], "code.txt"))],
    ["a file in addition to the fields", (form) => form.set("other", new File(["x"], "x.txt"))],
    ["a field with brackets", (form) => form.set("code[]", "x")],
    ["U+0000", (form) => form.set("code", "a\0")],
  ])(
    conformance("SC-25", "XC-07", "XC-08", "a multipart token request that contains %s is refused"),
    async (_what, change) => {
      const form = multipartOf(await freshExchange());
      change(form);
      expect(await postToken(form, {})).toMatchObject(refusal("invalid_request"));
    },
  );

  it.each<[string, string, string | Uint8Array<ArrayBuffer>]>([
    ["without a boundary", "multipart/form-data", "--b\r\n"],
    ["with another boundary", "multipart/form-data; boundary=b", "--c\r\n"],
    ["that is empty", "multipart/form-data; boundary=b", ""],
    [
      "that is cut off",
      "multipart/form-data; boundary=b",
      '--b\r\nContent-Disposition: form-data; name="code"\r\n\r\nx',
    ],
    ["that contains no multipart data", "multipart/form-data; boundary=b", "grant_type=authorization_code"],
    ["that is not UTF-8", "multipart/form-data; boundary=b", Uint8Array.of(0x2d, 0x2d, 0x62, 0xff)],
  ])(conformance("SC-25", "XC-09", "a multipart token request %s is refused"), async (_what, type, body) => {
    expect(await postToken(body, { "content-type": type })).toMatchObject(refusal("invalid_request"));
  });

  it(conformance("SC-25", "XC-10", "a multipart token request of more than 64 KiB is refused"), async () => {
    const form = multipartOf({ ...(await freshExchange()), padding: "x".repeat(65_536) });
    expect(await postToken(form, {})).toMatchObject({ status: 413, body: { error: "invalid_request" } });
  });

  it("the content type of a token request may have a character set and upper-case letters", async () => {
    const headers = { "content-type": "Application/X-WWW-Form-Urlencoded; charset=UTF-8" };
    expect((await postToken(encoded(await freshExchange()), headers)).status).toBe(200);
  });

  it(conformance("TK-18", "a token request may be a JSON object of strings"), async () => {
    expect((await postToken(JSON.stringify(await freshExchange()), JSON_TYPE)).status).toBe(200);
  });

  it(
    conformance("SC-25", "a token request may be a JSON object with numbers, which are parsed as text"),
    async () => {
      const form = { ...(await freshExchange()), state: 7, expires_in: -1.5e3 };
      expect((await postToken(JSON.stringify(form), JSON_TYPE)).status).toBe(200);
      const coded = await postToken(JSON.stringify({ ...form, code: 12 }), JSON_TYPE);
      expect(coded).toMatchObject(refusal("invalid_grant"));
    },
  );

  it.each([
    ["not valid JSON", "{"],
    ["empty", ""],
    ["an array", '["grant_type"]'],
    ["a string", '"grant_type"'],
    ["null", "null"],
    ["an object with a boolean value", '{"grant_type":"authorization_code","code":true}'],
    ["an object with a nested object", '{"grant_type":"authorization_code","code":{"not":null}}'],
    ["an object with an array", '{"grant_type":["authorization_code"]}'],
    ["an object with the value null", '{"grant_type":"authorization_code","code":null}'],
    ["an object with a repeated member", '{"grant_type":"authorization_code","grant_type":"foo"}'],
    [
      "an object with a repeated member whose name is escaped once",
      '{"grant_type":"foo","gr\\u0061nt_type":"foo"}',
    ],
    ["an object with a lone surrogate", '{"grant_type":"\\ud800"}'],
    ["an object with U+0000", '{"grant_type":"authorization_code","code":"\\u0000"}'],
    ["an object with a member name in brackets", '{"grant_type":"authorization_code","code[]":"x"}'],
  ])(
    conformance(
      "XC-07",
      "XC-08",
      "XC-09",
      "XC-12",
      "AT-40",
      "a token request with the content type application/json is refused if the body is %s",
    ),
    async (_what, body) => {
      expect(await postToken(body, JSON_TYPE)).toMatchObject(refusal("invalid_request"));
    },
  );

  it.each(["null", "true", '["x"]', '{"x":"y"}'])(
    conformance("XC-08", "the error for a parameter in JSON with the value %s says that it must be a string"),
    async (value) => {
      const description = async (name: string) => {
        const { body } = await postToken(`{"grant_type":"foo","${name}":${value}}`, JSON_TYPE);
        return body["error_description"];
      };
      expect(await description("client_id")).toBe("The parameter client_id must be a string.");
      expect(await description("<é>")).toBe("Each parameter must be a string.");
    },
  );

  it(conformance("AT-41", "a token request never changes a JavaScript prototype"), async () => {
    const form = await freshExchange();
    const body = JSON.stringify(form).replace("{", '{"__proto__":"x","constructor":"y",');
    expect((await postToken(body, JSON_TYPE)).status).toBe(200);
    expect(Object.hasOwn(Object.prototype, "code")).toBe(false);
  });

  it.each(["client_id", "client_secret", "code", "grant_type", "redirect_uri"])(
    conformance(
      "TK-17",
      "XC-07",
      "a token request with the parameter %s in the query is refused, even if the body also contains the parameter",
    ),
    async (name) => {
      const form = await freshExchange();
      const query = `?${encoded({ [name]: form[name] })}`;
      const without = encoded({ ...form, [name]: undefined });
      expect(await postToken(without, FORM, query)).toMatchObject(refusal("invalid_request"));
      expect(await postToken(encoded(form), FORM, query)).toMatchObject(refusal("invalid_request"));
      expect((await postToken(encoded(form), FORM, "?utm_source=x")).status).toBe(200);
    },
  );
});
