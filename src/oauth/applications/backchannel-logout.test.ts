import { describe, expect, it } from "vitest";
import { conformance } from "@/testing/conformance.ts";
import { statedBackchannelLogout, validateBackchannelLogout } from "./backchannel-logout.ts";

const at = (uri: string | null) => ({ uri, sessionRequired: true });

describe("the URL for logout tokens", () => {
  it.each(["https://app.example/logout", "https://app.example:8443/logout?tenant=1"])(
    conformance("BL-07", "the URL %s is accepted as the URL for logout tokens"),
    (uri) => {
      expect(validateBackchannelLogout(at(` ${uri} `), false)).toEqual(at(uri));
    },
  );

  it.each([
    "http://app.example/logout",
    "http://127.0.0.1:8080/logout",
    "https://app.example/logout#fragment",
    "https://app.example/logout#",
    "https://user:secret@app.example/logout",
    "javascript:alert(1)",
    "/logout",
    `https://app.example/${"a".repeat(2_048)}`,
  ])(conformance("BL-07", "the URL %s is refused as the URL for logout tokens"), (uri) => {
    expect(validateBackchannelLogout(at(uri), false)).toHaveProperty("problems");
  });

  it("an instance that is served over http accepts an http URL of a loopback address as the URL for logout tokens", () => {
    expect(validateBackchannelLogout(at("http://127.0.0.1:8080/logout"), true)).not.toHaveProperty(
      "problems",
    );
    expect(validateBackchannelLogout(at("http://app.example/logout"), true)).toHaveProperty("problems");
  });

  it("an empty string removes the URL for logout tokens", () => {
    expect(validateBackchannelLogout(at(" "), false)).toEqual({ uri: null, sessionRequired: false });
  });

  it(
    conformance(
      "BL-07",
      "if a client has no owner, its URL for logout tokens must have the origin of one of its redirect URIs",
    ),
    () => {
      const redirectUris = ["https://app.example/callback", "urn:ietf:wg:oauth:2.0:oob"];
      expect(statedBackchannelLogout(at("https://app.example/logout"), redirectUris, false)).not.toBeNull();
      expect(statedBackchannelLogout(at(null), redirectUris, false)).toEqual({
        uri: null,
        sessionRequired: false,
      });
      for (const uri of [
        "https://victim.example/",
        "http://app.example/",
        "https://app.example:444/",
        "logout",
      ])
        expect(statedBackchannelLogout(at(uri), redirectUris, false)).toBeNull();
    },
  );
});
