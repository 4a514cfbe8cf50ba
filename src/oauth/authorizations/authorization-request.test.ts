import { describe, expect, it } from "vitest";
import { Malformed } from "@/kernel/http/parameters.ts";
import { conformance } from "@/testing/conformance.ts";
import { consentPurpose, queryFrom, readAuthorizationRequest } from "./authorization-request.ts";

const STATE = encodeURIComponent("a&b=c+d é✓%20<\"'>\r\n");

describe("an authorization request", () => {
  it(
    conformance("AZ-01", "queryFrom preserves the parameters of an authorization request byte for byte"),
    () => {
      const request = readAuthorizationRequest(`client_id=c&state=${STATE}&scope=a+b`);
      expect(queryFrom(request)).toBe(`client_id=c&scope=a%20b&state=${STATE}`);
      expect(readAuthorizationRequest(queryFrom(request))).toEqual(request);
    },
  );

  it(
    conformance(
      "AZ-21",
      "XC-05",
      "neither the order of the parameters nor unknown parameters change the parsed authorization request",
    ),
    () => {
      const request = readAuthorizationRequest(
        "scope=a&client_id=c&foo=bar&foo=baz&form_token=x&decision=allow",
      );
      expect(queryFrom(request)).toBe("client_id=c&scope=a");
      expect(request.repeated.size).toBe(0);
    },
  );

  it(
    conformance(
      "AZ-20",
      "the query of an authorization request keeps repeated parameters, so that the request is also refused after the sign-in",
    ),
    () => {
      const request = readAuthorizationRequest("client_id=c&state=a&state=b");
      expect(readAuthorizationRequest(queryFrom(request)).repeated).toEqual(new Set(["state"]));
    },
  );

  it.each(["scope[]=a", "client_id[x]=1", "state=%zz", "state=%00", "state=%ff"])(
    conformance("XC-08", "XC-09", "an authorization request with the parameter %s is refused"),
    (text) => {
      expect(() => readAuthorizationRequest(text)).toThrow(Malformed);
    },
  );
});

describe("the purpose that binds a CSRF token to a consent form", () => {
  const purpose = (text: string) => consentPurpose(readAuthorizationRequest(text));

  it("the purpose of the CSRF token is equal for authorization requests that differ only in the encoding, the order and the unknown parameters", () => {
    expect(purpose("scope=a&client_id=c&foo=x")).toBe(purpose("client_id=%63&scope=a"));
  });

  it.each(["client_id=d&scope=a", "client_id=c&scope=a%20b", "client_id=c", "client_id=c&scope=a&state=x"])(
    conformance(
      "AZ-35",
      "the CSRF token of the authorization request client_id=c&scope=a has another purpose than the CSRF token of %s",
    ),
    (text) => {
      expect(purpose(text)).not.toBe(purpose("client_id=c&scope=a"));
    },
  );

  it(
    conformance(
      "AZ-35",
      "a parameter value that contains separators cannot imitate the purpose of the CSRF token of another request",
    ),
    () => {
      expect(purpose(`client_id=${encodeURIComponent('c"],["scope","a')}`)).not.toBe(
        purpose("client_id=c&scope=a"),
      );
    },
  );
});
