import { describe, expect, it } from "vitest";
import { Malformed } from "@/kernel/http/parameters.ts";
import { consentPurpose, queryFrom, readAsk } from "./authorization-request.ts";

const STATE = encodeURIComponent("a&b=c+d é✓%20<\"'>\r\n");

describe("an authorization request", () => {
  it("survives as a query, to the byte [AZ-01]", () => {
    const ask = readAsk(`client_id=c&state=${STATE}&scope=a+b`);
    expect(queryFrom(ask)).toBe(`client_id=c&scope=a%20b&state=${STATE}`);
    expect(readAsk(queryFrom(ask))).toEqual(ask);
  });

  it("is the same in any order, and without what it does not know [AZ-21, XC-05]", () => {
    const ask = readAsk("scope=a&client_id=c&foo=bar&foo=baz&form_token=x&decision=allow");
    expect(queryFrom(ask)).toBe("client_id=c&scope=a");
    expect(ask.repeated.size).toBe(0);
  });

  it("keeps what came twice as twice, so that a second look refuses it too [AZ-20]", () => {
    const ask = readAsk("client_id=c&state=a&state=b");
    expect(readAsk(queryFrom(ask)).repeated).toEqual(new Set(["state"]));
  });

  it.each(["scope[]=a", "client_id[x]=1", "state=%zz", "state=%00", "state=%ff"])(
    "is refused as %s [XC-08, XC-09]",
    (text) => {
      expect(() => readAsk(text)).toThrow(Malformed);
    },
  );
});

describe("the purpose of a consent form", () => {
  const purpose = (text: string) => consentPurpose(readAsk(text));

  it("is the same for the same request, however it is written", () => {
    expect(purpose("scope=a&client_id=c&foo=x")).toBe(purpose("client_id=%63&scope=a"));
  });

  it.each(["client_id=d&scope=a", "client_id=c&scope=a%20b", "client_id=c", "client_id=c&scope=a&state=x"])(
    "is another one for another request: %s [AZ-35]",
    (text) => {
      expect(purpose(text)).not.toBe(purpose("client_id=c&scope=a"));
    },
  );

  it("cannot be imitated by values that look like its own form [AZ-35]", () => {
    expect(purpose(`client_id=${encodeURIComponent('c"],["scope","a')}`)).not.toBe(
      purpose("client_id=c&scope=a"),
    );
  });
});
