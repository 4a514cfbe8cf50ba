import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { bearerChallenge, presentedBearer } from "./bearer.ts";

const request = (authorization: string | null, query = ""): Request =>
  new Request(`http://localhost/x${query}`, { headers: authorization === null ? {} : { authorization } });

describe("presentedBearer", () => {
  it.each<[string | null, string, string | null]>([
    [null, "", null],
    [null, "?", null],
    [null, "?access_token=", null],
    [null, "?access_token=t", "t"],
    [null, "?access_token=a%2Bb&x=1", "a+b"],
    ["Bearer t", "", "t"],
    ["bearer t", "", "t"],
    ["bEaReR    t  ", "", "t"],
    ["Bearer", "", null],
    ["Bearer ", "", null],
    ["Bearert", "", null],
    ["Basic t", "", null],
    ["Basic t", "?access_token=t", "t"],
    ["Bearer t", "?access_token=t", "t"],
    [null, "?bearer_token=t", "t"],
    ["Bearer t", "?access_token=t&bearer_token=t", "t"],
  ])(
    conformance(
      "SC-25",
      "TI-02",
      "TI-03",
      "presentedBearer reads the Authorization header %j and the query %j, and returns the token %j",
    ),
    (header, query, expected) => {
      expect(presentedBearer(request(header, query))).toBe(expected);
    },
  );

  it("presentedBearer returns the token of a posted form", () => {
    expect(presentedBearer(request(null), new Map([["bearer_token", "t"]]))).toBe("t");
    expect(presentedBearer(request(null), new Map([["access_token", "t"]]))).toBe("t");
    expect(presentedBearer(request("Bearer t"), new Map([["access_token", "t"]]))).toBe("t");
    expect(presentedBearer(request("Bearer t"), new Map())).toBe("t");
  });

  it.each<[string | null, string, Record<string, string>]>([
    ["Bearer a", "?access_token=b", {}],
    ["Bearer a", "?bearer_token=b", {}],
    [null, "?access_token=a&bearer_token=b", {}],
    [null, "?bearer_token=a&bearer_token=a", {}],
    [null, "?access_token=a", { bearer_token: "b" }],
    ["Bearer a", "", { access_token: "b" }],
    [null, "?access_token=a", { access_token: "b" }],
    [null, "?access_token=a&access_token=b", {}],
    [null, "?access_token=a&access_token=a", {}],
    ["Bearer a, Bearer b", "", {}],
    ["Bearer a, Basic b", "", {}],
    ["Basic b, Bearer a", "", {}],
    ["Basic b, DPoP a", "?access_token=a", {}],
    [null, "?access_token=%zz", {}],
    [null, "?access_token=%ff", {}],
    [null, "?access_token=a%00", {}],
  ])(
    conformance(
      "TI-05",
      "AT-30",
      "XC-07",
      "XC-09",
      "presentedBearer refuses the header %j with the query %j and the form %j",
    ),
    (header, query, form) => {
      const read = () => presentedBearer(request(header, query), new Map(Object.entries(form)));
      expect(read).toThrow(expect.objectContaining({ code: "invalid_request", status: 400 }));
    },
  );
});

describe("bearerChallenge", () => {
  it(
    conformance(
      "TI-04",
      "the header WWW-Authenticate contains the authentication scheme, and the error code of a rejected token",
    ),
    () => {
      expect(bearerChallenge()).toBe('Bearer realm="Gatehouse"');
      expect(bearerChallenge({ code: "invalid_token", description: "It has expired." })).toBe(
        'Bearer realm="Gatehouse", error="invalid_token", error_description="It has expired."',
      );
    },
  );
});
